namespace CamCube.Tool.Commands.Hadoop;

/// <summary>One command line of <c>hadoop fs</c>.</summary>
/// <param name="Command">What is to be done.</param>
/// <param name="Flags">Its options, without dashes.</param>
/// <param name="Paths">What it is to be done with.</param>
internal sealed record FsLine(FsCommand Command, IReadOnlySet<string> Flags, IReadOnlyList<string> Paths)
{
    /// <summary>Whether an option stands there.</summary>
    public bool Has(string flag) => Flags.Contains(flag);

    /// <summary>Reads one. Generic options may stand before the command; they change nothing.</summary>
    /// <param name="arguments">All behind <c>fs</c>, at least one.</param>
    /// <exception cref="FsUsage">It is none.</exception>
    public static FsLine Parse(IReadOnlyList<string> arguments)
    {
        int at = 0;
        while (
            at < arguments.Count && arguments[at].StartsWith("-D", StringComparison.Ordinal) | arguments[at] == "-fs"
        )
        {
            at += arguments[at] is "-D" or "-fs" ? 2 : 1;
        }

        if (at >= arguments.Count)
        {
            throw new FsUsage("a command is missing; -help lists them");
        }

        string name = arguments[at++];
        FsCommand command =
            FsCommand.All.FirstOrDefault(one => one.Names.Contains(name))
            ?? throw new FsUsage($"{name}: Unknown command");
        var flags = new HashSet<string>(StringComparer.Ordinal);
        for (; at < arguments.Count && arguments[at].Length > 1 && arguments[at].StartsWith('-'); at++)
        {
            string flag = arguments[at].TrimStart('-');
            if (flag.Length == 0)
            {
                at++;
                break;
            }

            flags.Add(command.Flags.Contains(flag) ? flag : throw new FsUsage($"{name}: Illegal option -{flag}"));
        }

        string[] paths = [.. arguments.Skip(at)];
        return paths.Length < command.Least
                ? throw new FsUsage($"{name}: Not enough arguments: expected {command.Least}")
            : paths.Length > command.Most ? throw new FsUsage($"{name}: Too many arguments: expected {command.Most}")
            : new FsLine(command, flags, paths);
    }
}
