using System.CommandLine;
using System.CommandLine.Parsing;

namespace CamCube.Tool.Syntax;

/// <summary>The options that stand before or behind any command.</summary>
internal sealed class CommonOptions
{
    /// <summary>Environment variable with the host's address.</summary>
    public const string HostVariable = "CAMCUBE_HOST";

    /// <summary>Whether JSON is wanted.</summary>
    public Option<bool> Json { get; } =
        new("--json") { Description = "Print JSON on one line instead of text.", Recursive = true };

    /// <summary>Where the host is.</summary>
    public Option<HostAddress> Host { get; } =
        new("--host")
        {
            Description = $"Any HTTP port of a running host; or set {HostVariable}.",
            HelpName = "URL",
            Recursive = true,
            CustomParser = Values.Of<HostAddress>(
                HostAddress.TryParse,
                $"must be an address such as {HostAddress.Standard}"
            ),
            DefaultValueFactory = FromEnvironment,
        };

    /// <summary>Refuses --host at a command that asks no host.</summary>
    /// <param name="command">The command.</param>
    /// <param name="why">What is said then.</param>
    public void RefuseHost(Command command, string why) =>
        command.Validators.Add(result =>
        {
            if (result.GetResult(Host) is { Implicit: false })
            {
                result.AddError(why);
            }
        });

    /// <summary>Refuses --host at a command that simulates.</summary>
    public void RefuseHostOfSimulation(Command command) =>
        RefuseHost(command, "sim runs in this process; --host is for commands that ask a host.");

    private static HostAddress FromEnvironment(ArgumentResult result)
    {
        string? text = Environment.GetEnvironmentVariable(HostVariable);
        if (string.IsNullOrEmpty(text))
        {
            return HostAddress.Standard;
        }

        if (!HostAddress.TryParse(text, out HostAddress address))
        {
            result.AddError($"{HostVariable}={text} must be an address such as {HostAddress.Standard}.");
        }

        return address;
    }
}
