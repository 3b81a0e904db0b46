using System.CommandLine;
using CamCube.Tool.Checks;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service dissector</c>: header fields of services for Wireshark, without a host.</summary>
internal static class ServiceDissectorCommand
{
    /// <summary>Its name.</summary>
    public const string Name = "dissector";

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var services = new Argument<string[]>("SERVICE")
        {
            Description = "A project, its folder, an assembly, or the name of a bundled service",
            Arity = ArgumentArity.OneOrMore,
        };
        var command = new Command(
            Name,
            "Writes the header fields of services as Lua, for Wireshark and tshark beside tools/wireshark/camcube.lua."
        )
        {
            services,
        };
        examples[command] = """
            camcube service dissector Hello > hello.lua          fields camcube.hello.*
            camcube service dissector cache messenger --json     where the fields lie, as JSON
            tshark -X lua_script:camcube.lua -X lua_script:hello.lua -r cube.pcapng -Y 'camcube.hello'
            """;
        command.SetAction(parsed =>
            Run(parsed.GetValue(services)!, parsed.GetValue(common.Json), parsed.InvocationConfiguration.Output)
        );
        return command;
    }

    private static int Run(string[] named, bool json, TextWriter output)
    {
        List<ServiceHeader> services = [];
        foreach (string path in named.Select(PathOf).Distinct())
        {
            services.AddRange(Read(path));
        }

        if (services.GroupBy(service => service.Id).FirstOrDefault(same => same.Count() > 1) is { } twice)
        {
            throw new ToolException(
                ExitCode.Usage,
                $"{string.Join(" and ", twice.Select(service => service.Name))} have one id, 0x{twice.Key:x4}."
            );
        }

        output.Write(json ? $"{ToolJson.Of(services)}\n" : DissectorText.Of(services));
        return ExitCode.Ok;
    }

    private static IReadOnlyList<ServiceHeader> Read(string path)
    {
        IReadOnlyList<ServiceHeader> services;
        try
        {
            services = HeaderReader.Read(path);
        }
        catch (BadAssemblyException e)
        {
            throw new ToolException(ExitCode.Usage, e.Message);
        }

        return services.Any(service => service.Type is not null)
            ? services
            : throw new ToolException(
                ExitCode.Usage,
                $"{string.Join(", ", services.Select(service => service.Name))}: no header is declared in {path}; "
                    + "say it with [CamCubeService(id, \"name\", Header = typeof(MyHeader))]."
            );
    }

    private static string PathOf(string named)
    {
        string bundled = Path.Combine(AppContext.BaseDirectory, "services", named);
        bool isName = named.Length > 0 && named.All(c => char.IsAsciiLetterOrDigit(c) || c == '-');
        return BuiltService.Find(isName && !Path.Exists(named) && Directory.Exists(bundled) ? bundled : named).Path;
    }
}
