using CamCube.Administration.Answers;

namespace CamCube.Tool.Dev;

/// <summary>What one can try: calls of a service's commands, with what they ask for.</summary>
internal static class CallExamples
{
    private const int Most = 4;

    /// <summary>A line for each command.</summary>
    /// <param name="commands">The commands.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="host">What is behind each line; may be empty.</param>
    public static IEnumerable<string> Of(CommandsAnswer commands, TorusShape shape, string host) =>
        commands
            .Commands.Take(Most)
            .Select(command =>
                string.Join(
                    ' ',
                    [
                        "camcube service call",
                        commands.Service,
                        command.Name,
                        .. command
                            .Arguments.Where(argument => argument.IsRequired)
                            .Select(argument => $"{argument.Name}={ValueOf(argument.Type, shape)}"),
                        .. command.TakesBody ? ["--body FILE"] : Array.Empty<string>(),
                    ]
                ) + host
            );

    // Types are told in words for people, so what is not known here is left to them.
    private static string ValueOf(string type, TorusShape shape)
    {
        string last = $"{shape.At(shape.Count - 1)}";
        return type switch
        {
            _ when type.Contains("coordinate", StringComparison.Ordinal) => last,
            _ when type.StartsWith("duration", StringComparison.Ordinal) => "1s",
            _ when type.StartsWith("whole number, ", StringComparison.Ordinal)
                    && type["whole number, ".Length..].Split(' ') is [var least, "to", ..] => least,
            _ when type.StartsWith("whole number", StringComparison.Ordinal) => "1",
            "text" => "hello",
            _ => "...",
        };
    }
}
