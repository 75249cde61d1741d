package io.ontologia.store.sqlite;

import io.ontologia.testkit.StoppedWritersContract;

class StoppedWritersIT extends StoppedWritersContract {
    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
