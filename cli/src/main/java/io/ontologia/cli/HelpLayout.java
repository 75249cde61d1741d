package io.ontologia.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help that shows a command's own options first, and those that every command has under a heading of their own. */
final class HelpLayout {
    private static final String GLOBAL_OPTIONS = "globalOptions";

    private HelpLayout() {}

    /** Applies to the command and everything below it. */
    static void apply(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.abbreviateSynopsis(true).sortOptions(false).width(100);
        usage.synopsisHeading("Usage: ").descriptionHeading("%n").parameterListHeading("%nArguments:%n");
        usage.optionListHeading("").commandListHeading("%nCommands:%n");
        List<String> keys = new ArrayList<>(usage.sectionKeys());
        keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), GLOBAL_OPTIONS);
        usage.sectionKeys(keys);
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(usage.sectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options("Options", help, own(help)));
        sections.put(GLOBAL_OPTIONS, help -> options("Options of every command", help, global(help)));
        usage.sectionMap(sections);
        command.getSubcommands().values().forEach(HelpLayout::apply);
    }

    private static List<OptionSpec> own(Help help) {
        List<OptionSpec> options = new ArrayList<>(help.commandSpec().options());
        options.removeAll(global(help));
        return options;
    }

    private static List<OptionSpec> global(Help help) {
        return help.commandSpec().options().stream()
                .filter(option -> option.scopeType() == CommandLine.ScopeType.INHERIT)
                .toList();
    }

    private static String options(String heading, Help help, List<OptionSpec> options) {
        return options.isEmpty() ? "" : "\n" + heading + ":\n" + help.optionListExcludingGroups(options);
    }
}
