package io.ontologia.store.sqlite;

import io.ontologia.testkit.KilledWritersContract;

class KilledWritersIT extends KilledWritersContract {
    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
