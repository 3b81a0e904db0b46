using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube dev</c> as somebody uses it who writes a service: a project outside of the checkout, edited
/// while it runs.</summary>
public sealed class DevTests : IDisposable
{
    private const string Service = """
        namespace Small;

        [CamCube.CamCubeService(0x7110, "small")]
        public sealed class SmallService(CamCube.IServer server) : CamCube.CamCubeService, CamCube.IServiceCommands
        {
            public System.Collections.Generic.IReadOnlyList<CamCube.ServiceCommand> Commands =>
                [
                    CamCube.ServiceCommand.Of<CamCube.CommandResult>(
                        "say",
                        "Says a word.",
                        _ => new(CamCube.CommandResult.Bytes(
                            System.Text.Encoding.UTF8.GetBytes($"WORD {server.Coordinate}"), "text/plain"))
                    ),
                ];
        }
        """;
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-dev-").FullName;
    private readonly int _port = HostProcess.FreePorts(54);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Source => Path.Combine(_folder, "Small", "SmallService.cs");

    [Fact]
    public async Task An_edit_is_answered_and_what_cannot_run_leaves_what_runs()
    {
        Write(Service.Replace("WORD", "one", StringComparison.Ordinal));
        await using DevProcess dev = DevProcess.Start(_folder, "--port", $"{_port}");
        await dev.LineAsync("camcube dev: ready: small runs on 27 servers");
        await dev.LineAsync($"camcube service call small say --host http://127.0.0.1:{_port}");
        Assert.Equal("one 0,0,0", await SayAsync());

        Write(Service.Replace("WORD", "two", StringComparison.Ordinal));
        await dev.LineAsync("camcube dev: reloaded after");
        Assert.Equal("two 0,0,0", await SayAsync());

        Write(Service.Replace("WORD", "{nonsense}", StringComparison.Ordinal));
        Assert.Equal(
            "  SmallService.cs(12,59): error CS0103: The name 'nonsense' does not exist in the current context",
            await dev.LineAsync("error CS")
        );
        await dev.LineAsync("camcube dev: small goes on as it was.");
        Assert.Equal("two 0,0,0", await SayAsync());

        Write(
            Service
                .Replace("WORD", "three", StringComparison.Ordinal)
                .Replace(
                    "    public System",
                    "    private readonly int _n = int.Parse(\"x\");\n    public System",
                    StringComparison.Ordinal
                )
        );
        await dev.LineAsync("camcube dev: small goes on as it was: small threw FormatException: ");
        Write(Service.Replace("0x7110", "0x7111", StringComparison.Ordinal));
        await dev.LineAsync("a service that is reloaded keeps its id.");
        Assert.Equal("two 0,0,0", await SayAsync());

        Write(Service.Replace("WORD", "four", StringComparison.Ordinal));
        await dev.LineAsync("camcube dev: reloaded after");
        Assert.Equal("four 0,0,0", await SayAsync());
        Assert.Equal(0, await dev.StopAsync());
    }

    [Fact]
    public async Task With_json_each_event_is_a_line_and_nothing_else_is_on_standard_output()
    {
        Write(Service.Replace("WORD", "{nonsense}", StringComparison.Ordinal));
        await using DevProcess dev = DevProcess.Start(_folder, "--json", "--port", $"{_port}", "--shape", "2x2x2");
        await dev.LineAsync("\"event\":\"waiting\"");
        Write(Service.Replace("WORD", "one", StringComparison.Ordinal));
        await dev.LineAsync("\"event\":\"examples\"");

        // A fault in each of the new instances, as the host logs it.
        Write(
            Service.Replace(
                "    public System",
                "    public override void OnStart() => server.Loop.Post(\n"
                    + "        _ => throw new System.FormatException(\"planted\"), null);\n    public System",
                StringComparison.Ordinal
            )
        );
        await dev.LineAsync("\"event\":\"fault\"");
        Write(Service.Replace("0x7110", "0x7111", StringComparison.Ordinal));
        await dev.LineAsync("a service that is reloaded keeps its id.");
        Assert.Equal(0, await dev.StopAsync());

        JsonElement[] all = [.. dev.Results.Select(static line => JsonDocument.Parse(line).RootElement)];
        JsonElement[] named = [.. all.DistinctBy(NameOf)];
        Assert.Equal(
            ["building", "failed", "waiting", "built", "started", "examples", "changed"],
            named.Select(NameOf).Where(static name => name is not ("fault" or "warning" or "reloaded")).Take(7)
        );
        JsonElement wrong = all.First(static one => NameOf(one) == "failed");
        JsonElement said = wrong.GetProperty("diagnostics")[0];
        Assert.Equal(
            ("build", "SmallService.cs", 12, 59, "error", "CS0103"),
            (
                wrong.GetProperty("stage").GetString(),
                said.GetProperty("file").GetString(),
                said.GetProperty("line").GetInt32(),
                said.GetProperty("column").GetInt32(),
                said.GetProperty("severity").GetString(),
                said.GetProperty("code").GetString()
            )
        );
        JsonElement started = all.Single(static one => NameOf(one) == "started");
        Assert.Equal(
            ("small", 8, $"http://127.0.0.1:{_port}"),
            (
                started.GetProperty("service").GetString(),
                started.GetProperty("servers").GetInt32(),
                started.GetProperty("url").GetString()
            )
        );
        JsonElement fault = all.First(static one => NameOf(one) == "fault");
        Assert.Equal("small", fault.GetProperty("service").GetString());
        Assert.Equal("FormatException: planted", fault.GetProperty("exception").GetString());
        Assert.Contains(
            "keeps its id",
            all.Last(static one => NameOf(one) == "failed").GetProperty("message").GetString(),
            StringComparison.Ordinal
        );

        static string NameOf(JsonElement one) => one.GetProperty("event").GetString()!;
    }

    [Fact]
    public async Task At_the_start_it_waits_for_what_compiles_and_has_a_service()
    {
        Write("namespace Small; public sealed class SmallService { int }");
        await using DevProcess dev = DevProcess.Start(_folder, "Small", "--port", $"{_port}", "--shape", "2x2x2");
        Assert.Contains("SmallService.cs(1,", await dev.LineAsync(": error CS"), StringComparison.Ordinal);
        await dev.LineAsync("camcube dev: waits for a change.");
        Write("namespace Small; public sealed class SmallService { }");
        await dev.LineAsync("camcube dev: Small has no class with [CamCubeService(id, \"name\")].");
        await dev.LineAsync("camcube dev: waits for a change.");
        Write(Service);
        await dev.LineAsync("camcube dev: ready: small runs on 8 servers");
        Assert.Equal("WORD 0,0,0", await SayAsync());
        Assert.Equal(0, await dev.StopAsync());
    }

    [Fact]
    public async Task Of_two_services_one_has_to_be_named()
    {
        Write(
            $"{Service}\n[CamCube.CamCubeService(0x7112, \"other\")] "
                + "public sealed class Other : CamCube.CamCubeService;"
        );
        await using (DevProcess dev = DevProcess.Start(_folder))
        {
            Assert.Equal(
                "camcube: Small has 2 services: small, other. Say which: --service small",
                await dev.LineAsync("Say which")
            );
            Assert.Equal(2, await dev.EndAsync());
        }

        await using DevProcess named = DevProcess.Start(_folder, "--service", "small", "--port", $"{_port}");
        await named.LineAsync("camcube dev: ready: small runs on 27 servers");
        Assert.Equal(0, await named.StopAsync());
    }

    [Fact]
    public async Task A_build_that_hangs_is_ended_and_a_port_that_is_taken_is_named()
    {
        Write(Service, hangs: true);
        await using (DevProcess dev = DevProcess.Start(_folder, "--build-timeout", "8s", "--port", $"{_port}"))
        {
            await dev.LineAsync("the build did not end within 8 s.");
            await dev.LineAsync("camcube dev: waits for a change.");
            using var taken = new TcpListener(IPAddress.Loopback, _port);
            taken.Start();
            Assert.Equal(0, await dev.StopAsync());
        }

        Write(Service);
        using var other = new TcpListener(IPAddress.Loopback, _port + 3);
        other.Start();
        await using DevProcess next = DevProcess.Start(_folder, "--port", $"{_port}");
        await next.LineAsync($"port {_port + 3} on 127.0.0.1 is taken (setting CamCube:Http:Port). Try: camcube dev ");
        Assert.Equal(2, await next.EndAsync());
    }

    [Theory]
    [InlineData("nowhere", "there is no folder ")]
    [InlineData("empty", "and the folders in it have no project (.csproj).")]
    [InlineData("Small/SmallService.cs", "is no project; name a .csproj, or its folder.")]
    public async Task What_is_no_project_is_named(string named, string says)
    {
        Write(Service);
        Directory.CreateDirectory(Path.Combine(_folder, "empty"));
        ToolRun run = await ToolRun.In(_folder, "dev", named);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private static readonly HttpClient Http = new();

    private async Task<string> SayAsync()
    {
        using HttpResponseMessage answer = await Http.PostAsync(
            $"http://127.0.0.1:{_port}/api/servers/0/services/small/say",
            null
        );
        return await answer.Content.ReadAsStringAsync();
    }

    private void Write(string source, bool hangs = false)
    {
        string folder = Path.GetDirectoryName(Source)!,
            contract = BuiltPrograms.Find("CamCube.Abstractions");
        Directory.CreateDirectory(folder);
        File.WriteAllText(Source, source);
        string target = hangs
            ? """<Target Name="Hang" BeforeTargets="CoreCompile"><Exec Command="sleep 600" /></Target>"""
            : "";
        string project = Path.Combine(folder, "Small.csproj");
        string text = $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <EnableDynamicLoading>true</EnableDynamicLoading>
              </PropertyGroup>
              <ItemGroup>
                <Reference Include="{contract}" Private="false" />
              </ItemGroup>
              {target}
            </Project>
            """;
        if (!File.Exists(project) || File.ReadAllText(project) != text)
        {
            File.WriteAllText(project, text);
        }
    }
}
