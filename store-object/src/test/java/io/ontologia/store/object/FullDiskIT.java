package io.ontologia.store.object;

import io.ontologia.testkit.FullDiskContract;
import java.nio.file.Path;

class FullDiskIT extends FullDiskContract {
    @Override
    protected String storeIn(Path disk) {
        return disk.resolve("store").toUri().toString();
    }
}
