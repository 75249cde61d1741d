package io.ontologia.server;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for each test, over a nameservice that is opened by the first client. */
final class ServedNames implements AfterEachCallback {
    static final AccessToken WRITER = new AccessToken("write-write-write", Scope.WRITE);

    private final Function<Clock, Nameservice> opener;
    private @Nullable Nameservice served;
    private @Nullable OntologiaServer server;

    /** @param opener opens what is served */
    ServedNames(Function<Clock, Nameservice> opener) {
        this.opener = opener;
    }

    /** Over a nameservice in memory. */
    static ServedNames inMemory() {
        return new ServedNames(clock ->
                Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock)));
    }

    /** A client. */
    Nameservice client(Clock clock) {
        if (server == null) {
            Nameservice names = opener.apply(clock);
            served = names;
            server = OntologiaServer.start(
                    names, ServerOptions.defaults().port(0).token(WRITER));
        }
        return Nameservices.open(
                server.uri().toString(),
                NameserviceOptions.defaults().clock(clock).setting("http.token", WRITER.secret()));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (server != null && served != null) {
            server.close();
            served.close();
        }
    }
}
