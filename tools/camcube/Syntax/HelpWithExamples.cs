using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace CamCube.Tool.Syntax;

/// <summary>The usual help with examples below it, and without the options that the command has no use for.</summary>
internal sealed class HelpWithExamples(IReadOnlyDictionary<Command, string> examples, Func<Command, Option?> useless)
    : SynchronousCommandLineAction
{
    // As wide as a table that is not printed on a terminal.
    private readonly HelpAction _help = new() { MaxWidth = 120 };

    /// <inheritdoc/>
    public override bool ClearsParseErrors => true;

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        Command command = parseResult.CommandResult.Command;
        if (useless(command) is { } option)
        {
            option.Hidden = true;
        }

        _help.Invoke(parseResult);
        if (examples.TryGetValue(command, out string? text))
        {
            TextWriter output = parseResult.InvocationConfiguration.Output;
            output.WriteLine("Examples:");
            foreach (string line in text.Split('\n'))
            {
                output.WriteLine(line.Length == 0 ? "" : "  " + line);
            }
        }

        return ExitCode.Ok;
    }
}
