using System.CommandLine;
using System.Globalization;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>What must be so of a key for a change. One object for each command.</summary>
internal sealed class ConditionOptions
{
    private readonly Option<ulong?> _version = Values.Optional<ulong>(
        "--if-version",
        "VERSION",
        "Only if the key has this version",
        (string text, out ulong value) =>
            ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value > 0,
        "must be a version, as put and info say it"
    );
    private readonly Option<bool> _absent = new("--if-absent") { Description = "Only if there is no such key" };
    private readonly Option<bool> _present = new("--if-present") { Description = "Only if there is one" };

    /// <summary>Adds them.</summary>
    public Command AddTo(Command command)
    {
        command.Options.Add(_version);
        command.Options.Add(_absent);
        command.Options.Add(_present);
        return command;
    }

    /// <summary>The condition as a header, or null.</summary>
    public (string Name, string Value)? Read(ParseResult parsed)
    {
        (ulong? version, bool absent, bool present) = (
            parsed.GetValue(_version),
            parsed.GetValue(_absent),
            parsed.GetValue(_present)
        );
        if ((version is null ? 0 : 1) + (absent ? 1 : 0) + (present ? 1 : 0) > 1)
        {
            throw new ToolException(ExitCode.Usage, "of --if-version, --if-absent and --if-present one is enough.");
        }

        return version is not null ? ("If-Match", $"\"{version}\"")
            : absent ? ("If-None-Match", "*")
            : present ? ("If-Match", "*")
            : null;
    }
}
