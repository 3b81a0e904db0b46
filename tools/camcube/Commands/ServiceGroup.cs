using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service</c>.</summary>
internal static class ServiceGroup
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples, Command check)
    {
        var group = new Command(
            "service",
            "Lists services with their commands, runs commands, reloads services, and looks at compiled ones."
        )
        {
            ServiceListCommand.Create(common, examples),
            ServiceCallCommand.Create(common, examples),
            ServiceReloadCommand.Create(common, examples),
            check,
            ServiceDissectorCommand.Create(common, examples),
        };
        examples[group] = """
            camcube service list                                 what services there are, and what they can be asked
            camcube service call diagnostics ping to=2,1,2       ask one, at the host's first server
            camcube service reload hello                         its assembly was built anew: run that
            camcube service check MyService.dll                  would its runs be reproducible? needs no host
            camcube service dissector MyService.dll > my.lua     its header's fields in Wireshark
            """;
        return group;
    }
}
