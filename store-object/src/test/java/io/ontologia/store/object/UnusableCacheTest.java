package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusableCacheTest {
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    @TempDir
    Path folder;

    @Test
    void a_cache_that_is_no_folder_is_named_with_a_remedy() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        SessionOptions options = SessionOptions.defaults()
                .storage(StorageOptions.defaults().settings(Map.of("cache_dir", file.toString())));

        assertThatThrownBy(() -> {
                    try (var session =
                            Ontologia.open(folder.resolve("store").toUri().toString(), options, Model.of(NOTE))) {
                        session.entities("Note").count();
                    }
                })
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
                    assertThat(e).hasMessageContaining(file.toString()).hasMessageContaining("cache_dir");
                });
    }
}
