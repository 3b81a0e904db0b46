using System.Net;
using System.Net.Sockets;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests;

/// <summary>Whole starts that must not happen: exit code 2, a line per mistake on standard error, no stack trace,
/// nothing started.</summary>
public sealed class ValidationTests
{
    [Theory]
    [InlineData("CamCube:Shape = '0x3x3': each axis size must be from 1 to 65535.", "--shape=0x3x3")]
    [InlineData("CamCube:Shape = '3x3': three axis sizes are needed, as in 3x3x3.", "--shape=3x3")]
    [InlineData("CamCube:Shape = '70000x1x1': each axis size must be from 1 to 65535.", "--shape=70000x1x1")]
    [InlineData(
        "CamCube:Shape = '41x40x40': a cube has at most 65536 servers, this one would have 65600.",
        "--shape=41x40x40"
    )]
    [InlineData("CamCube:Shpe is not a setting; did you mean CamCube:Shape?", "--CamCube:Shpe=4x4x4")]
    [InlineData("CamCube:Shim = 'Ethernet': there is no such shim; allowed is Simulator.", "--shim=Ethernet")]
    [InlineData("CamCube:ParallelCables = 'both': allowed are true and false.", "--parallel-cables=both")]
    [InlineData("CamCube:Seed = '-1': allowed is a number from 0 to 18446744073709551615.", "--seed=-1")]
    [InlineData("CamCube:HopLimit = '65536': allowed is 0 to 65535.", "--hop-limit=65536")]
    [InlineData("CamCube:PacketBudget = '63': allowed is 64 to 1000000.", "--packet-budget=63")]
    [InlineData("CamCube:GateLimit = '0': allowed is 1 to 1000000.", "--gate-limit=0")]
    [InlineData("CamCube:StepBudget = '0': allowed is 1 to 1000000.", "--step-budget=0")]
    [InlineData("CamCube:Liveness:DetectionTime = '9 ms': allowed is 10 ms to 60 s.", "--Liveness:DetectionTime=9ms")]
    [InlineData(
        "CamCube:Liveness:ReturnTimeout = '120 min': allowed is 0 ms to 60 min.",
        "--Liveness:ReturnTimeout=2h"
    )]
    [InlineData("CamCube:Http:Port = '70000': allowed is 1 to 65535.", "--Http:Port=70000")]
    [InlineData(
        "CamCube:Http:Address = 'here': allowed is an IP address as in 127.0.0.1, 0.0.0.0 or ::1.",
        "--Http:Address=here"
    )]
    [InlineData("CamCube:Http:Address = '192.0.2.1': this machine has no such address.", "--Http:Address=192.0.2.1")]
    [InlineData(
        "CamCube:Http:AllowedHosts = '*': allowed are names and addresses without scheme, port and *.",
        "--Http:AllowedHosts=a.example,*"
    )]
    [InlineData("CamCube:Services:echo:Queue:Weight = '0': allowed is 1 to 1000.", "--Services:echo:Queue:Weight=0")]
    [InlineData("CamCube:Services:echo:Queue:Priority = '8': allowed is 1 to 7.", "--Services:echo:Queue:Priority=8")]
    [InlineData(
        "CamCube:Services:echo:Queue:LimitPackets = '0': allowed is 1 to 1000000.",
        "--Services:echo:Queue:LimitPackets=0"
    )]
    [InlineData(
        "CamCube:Services:echo:Queue:Drop = 'All': allowed are Newest, Oldest.",
        "--Services:echo:Queue:Drop=All"
    )]
    [InlineData(
        "CamCube:Services:echo:Queue:Wait is not a setting; there are Drop, LimitPackets, Priority, Weight.",
        "--Services:echo:Queue:Wait=1"
    )]
    [InlineData(
        "CamCube:Services:echo = 'on': this is a group of settings: Enabled, With, Assembly, Queue.",
        "--Services:echo=on"
    )]
    [InlineData(
        "CamCube:FrontEnds:ecoh is not a setting; did you mean CamCube:FrontEnds:echo?",
        "--FrontEnds:ecoh:Port=1"
    )]
    [InlineData(
        "CamCube:FrontEnds:echo:Welcom is not a setting; did you mean CamCube:FrontEnds:echo:Welcome?",
        "--FrontEnds:echo:Welcom=1"
    )]
    [InlineData(
        "CamCube:LinkProviders:Wire:Assembly = 'wire.dll': there is no file or folder",
        "--LinkProviders:Wire:Assembly=wire.dll"
    )]
    [InlineData(
        "CamCube:Faults = 'los probability=0.1': 'los' is no kind of fault; did you mean loss? There are loss,",
        "--Faults=los probability=0.1"
    )]
    [InlineData(
        "CamCube:Faults = 'loss 0.1': '0.1' must be name=value, and each name may stand once.",
        "--Faults=cut;loss 0.1"
    )]
    [InlineData(
        "CamCube:Faults = 'cut at=0 at=1': 'at=1' must be name=value, and each name may stand once.",
        "--Faults=cut at=0 at=1"
    )]
    [InlineData("CamCube:Faults = 'delay': delay needs time=...", "--Faults=delay")]
    [InlineData("'4x4x4' is not an option; options begin with -- (--help lists them).", "4x4x4")]
    public async Task A_mistake_is_one_line_and_exit_code_2(string message, params string[] arguments)
    {
        FakeCubeFactory cube = new();
        bool echo = !message.Contains("= 'on'", StringComparison.Ordinal);
        await using TestHost host = await TestHost.StartAsync(cube, arguments, echo);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.StartsWith(message, Assert.Single(host.Errors.Lines), StringComparison.Ordinal);
        Assert.Empty(host.Output.Lines);
        Assert.Null(cube.Request);
    }

    [Fact]
    public async Task All_mistakes_are_said_at_once()
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            ["--shpe=1x1x1", "--hop-limit=-1", "--Services:echo:Limit=0", "--FrontEnds:echo:Port=x", "what"]
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(
            [
                "'what' is not an option; options begin with -- (--help lists them).",
                "CamCube:shpe is not a setting; did you mean CamCube:Shape?",
                "CamCube:HopLimit = '-1': allowed is 0 to 65535.",
                "CamCube:Services:echo:Limit = '0': allowed is 1 to 100.",
                "CamCube:FrontEnds:echo:Port = 'x': allowed is a whole number.",
            ],
            host.Errors.Lines
        );
    }

    [Fact]
    public async Task A_taken_port_is_named_with_its_setting_and_a_command_that_works()
    {
        FakeCubeFactory cube = new();
        int port = FreePorts.Take(2) + 1;
        using TcpListener taken = new(IPAddress.Loopback, port);
        taken.Start();
        string own = $"--CamCube:FrontEnds:echo:Port={port - 1}";
        await using TestHost host = await TestHost.StartAsync(cube, ["--shape=2x1x1", own], echo: true, ports: 2);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Matches(
            $@"^port {port} on 127\.0\.0\.1 is taken \(setting CamCube:FrontEnds:echo:Port\)\. "
                + @"Try: dotnet run -c Release --project src/CamCube\.Host -- --Http:Port=\d+ "
                + @"--Services:echo:Enabled=true --shape=2x1x1 "
                + @"--CamCube:FrontEnds:echo:Port=\d+$",
            Assert.Single(host.Errors.Lines)
        );
        Assert.Null(cube.Request);

        string offered = host.Errors.Lines[0].Split(' ')[^1];
        await using TestHost second = await TestHost.StartAsync(cube, ["--shape=2x1x1", offered], ports: 2);
        Assert.StartsWith("CamCube ready: 2 servers", second.Output.Lines[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_taken_http_port_is_named_too()
    {
        int port = FreePorts.Take(1);
        using TcpListener taken = new(IPAddress.Loopback, port);
        taken.Start();
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            [$"--Http:Port={port}", "--shape=1x1x1"],
            ports: 1
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.StartsWith(
            $"port {port} on 127.0.0.1 is taken (setting CamCube:Http:Port). Try: ",
            Assert.Single(host.Errors.Lines),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Ranges_of_ports_that_meet_are_named()
    {
        int port = FreePorts.Take(60);
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            [$"--FrontEnds:echo:Port={port}", $"--Http:Port={port + 26}"]
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.StartsWith(
            $"CamCube:Http:Port = '{port + 26}': http 127.0.0.1:{port + 26}-{port + 52} meets echo "
                + $"127.0.0.1:{port}-{port + 26}. Try: ",
            Assert.Single(host.Errors.Lines),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_range_of_ports_beyond_the_last_one_is_named()
    {
        await using TestHost host = await TestHost.StartAsync(new FakeCubeFactory(), ["--Http:Port=65530"]);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(
            ["CamCube:Http:Port = '65530': 27 servers need the ports 65530 to 65556; the largest is 65535."],
            host.Errors.Lines
        );
    }

    [Fact]
    public async Task The_environment_is_checked_like_everything_else()
    {
        await using TestHost host = TestHost.Begin(
            new FakeCubeFactory(),
            environment: new System.Collections.Hashtable { ["CamCube__Sed"] = "1" }
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(["CamCube:Sed is not a setting; did you mean CamCube:Seed?"], host.Errors.Lines);
    }

    [Fact]
    public async Task What_is_not_enabled_may_stay_configured()
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            ["--Services:echo:Enabled=false", "--FrontEnds:echo:Welcome=x", "--shape=1x1x1"],
            echo: false,
            ports: 1
        );

        Assert.Empty(host.Errors.Lines);
        Assert.Equal(
            $"CamCube ready: 1 server (1x1x1), shim Simulator, http 127.0.0.1:{host.HttpPort}",
            host.Output.Lines[0]
        );
    }

    [Fact]
    public async Task A_front_end_can_be_left_out()
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            ["--FrontEnds:echo:Enabled=false", "--shape=1x1x1"],
            ports: 1
        );

        Assert.Equal(
            $"CamCube ready: 1 server (1x1x1), shim Simulator, http 127.0.0.1:{host.HttpPort}",
            host.Output.Lines[0]
        );
        Assert.True(FreePorts.IsFree(host.EchoPort));
    }
}
