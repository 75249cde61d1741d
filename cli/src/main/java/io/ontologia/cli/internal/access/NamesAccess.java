package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.naming.NamedStoreProvider;
import io.ontologia.naming.StoreRecord;
import io.ontologia.objectstore.ObjectStoreOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Opens nameservices, and finds stores by their names. */
public final class NamesAccess {
    /** Where the token for a nameservice comes from; a flag or a file would be seen by too many. */
    public static final String TOKEN_VARIABLE = "ONTOLOGIA_NAMESERVICE_TOKEN";

    /** The same for its upstream. */
    public static final String UPSTREAM_TOKEN_VARIABLE = "ONTOLOGIA_NAMESERVICE_UPSTREAM_TOKEN";

    private final Invocation invocation;

    /** With the settings of this invocation. */
    public NamesAccess(Invocation invocation) {
        this.invocation = invocation;
    }

    /** The URI of the nameservice: the one that is asked for, or else the one of the settings. */
    public String uri(Optional<String> asked) {
        return asked.or(() -> invocation.settings().nameservice())
                .orElseThrow(() -> new UsageError(
                        "no nameservice is named",
                        "use --ns, the variable ONTOLOGIA_NAMESERVICE_URI, or nameservice_uri in the"
                                + " configuration file"));
    }

    /**
     * Opens a nameservice to change it; the caller closes it. Over HTTP secrets are seen only with a token: without one, a server
     * does not show them.
     */
    public Nameservice open(String uri) {
        return token(TOKEN_VARIABLE).isPresent() ? whole(uri) : look(uri);
    }

    /** Opens a nameservice to see or copy whole records, with their secrets; the caller closes it. */
    public Nameservice whole(String uri) {
        return Nameservices.open(uri, options());
    }

    /** Opens the upstream of a nameservice, with a token of its own: no server gets to see that of another one. */
    public Nameservice upstream(String uri) {
        return Nameservices.open(uri, options(UPSTREAM_TOKEN_VARIABLE));
    }

    /** Opens a nameservice to look at it: over HTTP a token for reading is enough, and secrets are not seen. */
    public Nameservice look(String uri) {
        return Nameservices.open(uri, options().setting(NameserviceOptions.HTTP_SECRETS, "redacted"));
    }

    private NameserviceOptions options() {
        return options(TOKEN_VARIABLE);
    }

    private NameserviceOptions options(String tokenVariable) {
        NameserviceOptions options = NameserviceOptions.defaults()
                .objectStore(ObjectStoreOptions.defaults()
                        .s3(invocation.settings().s3())
                        .lockTimeout(invocation.settings().lockTimeout()))
                .clock(invocation.clock());
        return token(tokenVariable)
                .map(token -> options.setting(NameserviceOptions.HTTP_TOKEN, token))
                .orElse(options);
    }

    /** What a store that is opened by its name must be told. */
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put(NamedStoreProvider.NAMESERVICE_URI, uri(Optional.empty()));
        token(TOKEN_VARIABLE).ifPresent(token -> settings.put(NamedStoreProvider.NAMESERVICE_TOKEN, token));
        return settings;
    }

    /** The location itself, or where the store is that it names. */
    StorageLocation resolve(StorageLocation location) {
        if (!(location instanceof StorageLocation.Named named)) {
            return location;
        }
        Alias alias = Alias.parse(named.alias());
        try (Nameservice names = look(uri(Optional.empty()))) {
            NameRecord record = names.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
            return StorageLocation.parse(StoreRecord.requireStorageUri(record));
        }
    }

    private Optional<String> token(String variable) {
        return Optional.ofNullable(invocation.environment().get(variable)).filter(token -> !token.isEmpty());
    }
}
