package io.ontologia.store.sqlite;

import io.ontologia.testkit.FullDiskContract;
import java.nio.file.Path;

class FullDiskIT extends FullDiskContract {
    @Override
    protected String storeIn(Path disk) {
        return "sqlite:///" + disk.resolve("onto.db");
    }
}
