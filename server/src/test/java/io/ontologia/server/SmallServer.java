package io.ontologia.server;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A server in a process of its own, with little memory. A look-up of {@code hungry} takes all of it. It ends with its standard input. */
final class SmallServer {
    /** The exit code after it ran out of memory. */
    static final int OUT_OF_MEMORY = 42;

    private SmallServer() {}

    public static void main(String[] args) throws IOException {
        Nameservice names = Nameservices.open("memory:");
        names.create(NewRecord.ledger(Alias.parse("mydb")));
        try (OntologiaServer server = OntologiaServer.start(
                hungry(names),
                ServerOptions.defaults()
                        .port(0)
                        .withoutTokens(Scope.WRITE)
                        .onOutOfMemory(() -> Runtime.getRuntime().halt(OUT_OF_MEMORY)))) {
            System.out.println(server.uri());
            System.in.transferTo(System.out);
        }
    }

    private static Nameservice hungry(Nameservice names) {
        return (Nameservice) Proxy.newProxyInstance(
                Nameservice.class.getClassLoader(), new Class<?>[] {Nameservice.class}, (proxy, method, args) -> {
                    if (method.getName().equals("lookup") && args[0].equals(Alias.parse("hungry"))) {
                        List<byte[]> all = new ArrayList<>();
                        while (all.size() < Integer.MAX_VALUE) {
                            all.add(new byte[1 << 20]);
                        }
                    }
                    try {
                        return method.invoke(names, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
