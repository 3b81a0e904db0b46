using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Commands of services through a gate: whatever they do, their service and all others go on.</summary>
public sealed class CommandTests
{
    [Fact]
    public void A_command_gets_its_arguments_and_answers_with_its_result_as_json()
    {
        using TestCube cube = Make();
        CommandResult said = Run(cube, "say", ("what", "hello"), ("TIMES", "2"));
        Assert.Equal(
            (CommandStatus.Done, "application/json", """["hello","hello"]"""),
            (said.Status, said.ContentType, said.Text)
        );
        Assert.Equal("what is missing.", Run(cube, "say").Text);
    }

    [Theory]
    [InlineData("nobody", "say", "server 0,0,0 has no service 'nobody'; there are link-state, subject, scripted-0300.")]
    [InlineData(
        "subjct",
        "say",
        "server 0,0,0 has no service 'subjct'; did you mean subject? There are link-state, subject, scripted-0300."
    )]
    [InlineData("", "say", "server 0,0,0 has no service ''; there are link-state, subject, scripted-0300.")]
    [InlineData(
        "SUBJECT",
        "say",
        "server 0,0,0 has no service 'SUBJECT'; did you mean subject? There are link-state, subject, scripted-0300."
    )]
    [InlineData("scripted-0300", "say", "service 'scripted-0300' has no commands.")]
    [InlineData(
        "subject",
        "sa",
        "service 'subject' has no command 'sa'; did you mean say? There are say, break, late-break, wait, set."
    )]
    [InlineData(
        "subject",
        "Say",
        "service 'subject' has no command 'Say'; did you mean say? There are say, break, late-break, wait, set."
    )]
    public void What_is_not_there_is_not_found_and_never_reaches_the_service(
        string service,
        string command,
        string says
    )
    {
        using TestCube cube = Make();
        CommandResult result = cube.Await(
            cube[0].Gate.RunCommandAsync(CommandCall.Of(service, command, ("what", "x")))
        );
        Assert.Equal((CommandStatus.NotFound, says), (result.Status, result.Text));
        Assert.Equal(0, Status(cube).CommandRuns);
    }

    [Fact]
    public void A_command_that_throws_a_hundred_times_is_counted_and_told_and_no_fault_of_its_service()
    {
        using TestCube cube = Make(out Script other);
        Assert.True(Run(cube, "set", ("value", "7")).IsOk);
        for (int i = 0; i < 50; i++)
        {
            CommandResult at = Run(cube, "break"),
                late = Run(cube, "late-break");
            Assert.Equal((CommandStatus.Threw, "break threw FormatException: so it is"), (at.Status, at.Text));
            Assert.Equal(
                (CommandStatus.Threw, "late-break threw KeyNotFoundException: later"),
                (late.Status, late.Text)
            );
            cube.Advance(TimeSpan.FromSeconds(1));
        }

        // The same instance, with all that it had in memory; and so is the other service.
        ServiceStatus status = Status(cube);
        Assert.Equal(
            (ServiceState.Running, 0L, 100L, 101L),
            (status.State, status.Faults, status.CommandFaults, status.CommandRuns)
        );
        Assert.Equal(7, status.Counters.Single(c => c.Name == "set").Value);
        Assert.Equal(2, other.Made);
        Assert.Equal(0, Status(cube, rank: 1).CommandFaults);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_command_ends_when_its_caller_has_gone_and_its_room_is_free_again()
    {
        using TestCube cube = Make(gateLimit: 2);
        for (int i = 0; i < 10; i++)
        {
            using CancellationTokenSource gone = new(),
                never = new();
            ValueTask<CommandResult> first = cube[0]
                .Gate.RunCommandAsync(CommandCall.Of("subject", "wait"), gone.Token);
            ValueTask<CommandResult> second = cube[0]
                .Gate.RunCommandAsync(CommandCall.Of("subject", "wait"), gone.Token);
            ValueTask<CommandResult> third = cube[0]
                .Gate.RunCommandAsync(CommandCall.Of("subject", "say", ("what", "now")), never.Token);
            cube.Advance(TimeSpan.FromMinutes(1));
            Assert.False(first.IsCompleted || second.IsCompleted || third.IsCompleted);

            gone.Cancel();
            Assert.Equal(CommandStatus.Cancelled, cube.Await(first).Status);
            Assert.Equal(CommandStatus.Cancelled, cube.Await(second).Status);
            Assert.True(cube.Await(third).IsOk);
        }

        using CancellationTokenSource already = new(0);
        already.Cancel();
        Assert.Equal(
            CommandStatus.Cancelled,
            cube.Await(cube[0].Gate.RunCommandAsync(CommandCall.Of("subject", "wait"), already.Token)).Status
        );
        Assert.Equal(0, Status(cube).CommandFaults);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_throws_when_it_is_cancelled_is_counted_and_no_fault()
    {
        using TestCube cube = Make();
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult> wait = cube[0]
            .Gate.RunCommandAsync(CommandCall.Of("subject", "wait", ("badly", "true")), gone.Token);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        gone.Cancel();
        Assert.Equal(CommandStatus.Cancelled, cube.Await(wait).Status);
        Assert.Equal((ServiceState.Running, 1L), (Status(cube).State, Status(cube).CommandFaults));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_command_ends_at_once_when_its_service_faults_or_its_server_stops_and_a_stopped_service_says_why()
    {
        using TestCube cube = Make();
        ValueTask<CommandResult> cut = cube[0].Gate.RunCommandAsync(CommandCall.Of("subject", "wait"));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Throws<ServiceUnavailableException>(() =>
            cube.Await(
                cube[0]
                    .Gate.CallAsync<Subject, int, int>(static (_, _) => throw new InvalidOperationException("a bug"), 0)
            )
        );
        CommandResult ended = cube.Await(cut);
        Assert.Equal(
            (CommandStatus.NotRunning, "service 'subject' on server 0,0,0 stopped while wait ran."),
            (ended.Status, ended.Text)
        );

        CommandResult faulted = Run(cube, "say", ("what", "x"));
        Assert.Equal(
            (
                CommandStatus.NotRunning,
                "service 'subject' on server 0,0,0 waits for its restart (it threw InvalidOperationException: a bug)."
            ),
            (faulted.Status, faulted.Text)
        );
        Assert.True(cube.Await(new ValueTask<CommandResult>(cube.Cube.StartServiceAsync(0, "subject"))).IsOk);
        Assert.True(Run(cube, "say", ("what", "x")).IsOk);
        Assert.Equal(
            CommandStatus.NotFound,
            cube.Await(new ValueTask<CommandResult>(cube.Cube.StartServiceAsync(0, "subjct"))).Status
        );

        ValueTask<CommandResult> power = cube[0].Gate.RunCommandAsync(CommandCall.Of("subject", "wait"));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Kill(default);
        Assert.Equal(CommandStatus.NotRunning, cube.Await(power).Status);
        Assert.Equal("server 0,0,0 is stopped.", Run(cube, "say", ("what", "x")).Text);
        Assert.Equal(
            "server 0,0,0 is stopped.",
            cube.Await(new ValueTask<CommandResult>(cube.Cube.StartServiceAsync(0, "subject"))).Text
        );
        cube.AssertOneFault<InvalidOperationException>();
    }

    [Fact]
    public void A_service_that_somebody_started_waits_its_own_time_when_it_throws_again()
    {
        using TestCube cube = Make();
        Break();
        cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.True(cube.Await(new ValueTask<CommandResult>(cube.Cube.StartServiceAsync(0, "subject"))).IsOk);
        cube.Advance(TimeSpan.FromMilliseconds(200));
        Break();

        // The first restart would come now; the second has its second.
        cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.Equal(ServiceState.Faulted, Status(cube).State);
        cube.Advance(TimeSpan.FromMilliseconds(600));
        Assert.Equal(ServiceState.Running, Status(cube).State);

        void Break() =>
            Assert.Throws<ServiceUnavailableException>(() =>
                cube.Await(
                    cube[0]
                        .Gate.CallAsync<Subject, int, int>(
                            static (_, _) => throw new InvalidOperationException("a bug"),
                            0
                        )
                )
            );
    }

    [Fact]
    public void What_changes_something_asks_for_control()
    {
        using TestCube cube = Make();
        CommandCall call = CommandCall.Of("subject", "set", ("value", "5")) with { MayChange = false };
        CommandResult refused = cube.Await(cube[0].Gate.RunCommandAsync(call));
        Assert.Equal(
            (CommandStatus.NeedsControl, "set of service 'subject' changes something."),
            (refused.Status, refused.Text)
        );
        Assert.Equal(0, Status(cube).Counters.Single(c => c.Name == "set").Value);
        Assert.True(cube.Await(cube[0].Gate.RunCommandAsync(call with { MayChange = true })).IsOk);
        Assert.Equal(5, Status(cube).Counters.Single(c => c.Name == "set").Value);
    }

    [Fact]
    public void A_thousand_commands_at_once_all_end()
    {
        using TestCube cube = Make(gateLimit: 64);
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult>[] calls =
        [
            .. Enumerable
                .Range(0, 1_000)
                .Select(i =>
                    cube[0]
                        .Gate.RunCommandAsync(
                            CommandCall.Of(
                                "subject",
                                (i % 4) switch
                                {
                                    0 => "say",
                                    1 => "break",
                                    2 => "late-break",
                                    _ => "wait",
                                },
                                [.. i % 4 == 0 ? [("what", "x")] : Array.Empty<(string, string)>()]
                            ),
                            gone.Token
                        )
                ),
        ];
        cube.Advance(TimeSpan.FromSeconds(1));
        gone.Cancel();
        foreach (ValueTask<CommandResult> call in calls)
        {
            cube.Await(call);
        }

        Assert.True(Run(cube, "say", ("what", "still here")).IsOk);
        cube.AssertQuiet();
    }

    [Fact]
    public void The_guard_around_the_hosts_events_leaves_none_out()
    {
        // An event that has a body of its own in the interface would end there, without a word.
        Assert.All(
            typeof(GuardedEvents).GetInterfaceMap(typeof(IServerEvents)).TargetMethods,
            method => Assert.Equal(typeof(GuardedEvents), method.DeclaringType)
        );
    }

    [Fact]
    public void Two_commands_of_one_name_are_a_fault_that_names_them()
    {
        using var cube = new TestCube(1, 1, 1);
        cube.Add(static _ => new Twins());
        _ = cube.Cube;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains(
            "Twins has two commands of the same name.",
            cube.Faults[0].Exception.Message,
            StringComparison.Ordinal
        );
    }

    private static CommandResult Run(TestCube cube, string command, params (string Name, string Text)[] arguments) =>
        cube.Await(cube[0].Gate.RunCommandAsync(CommandCall.Of("subject", command, arguments)));

    private static ServiceStatus Status(TestCube cube, int rank = 0) =>
        cube.Cube.StatusOf(rank).Services.Single(s => s.Name == "subject");

    private static TestCube Make(int gateLimit = 4_096) => Make(out _, gateLimit);

    private static TestCube Make(out Script other, int gateLimit = 4_096)
    {
        other = new Script();
        TestCube cube = new TestCube(2, 1, 1, server: new ServerOptions { GateLimit = gateLimit })
            .Add(s => new Subject(s))
            .Add(other.Define());
        _ = cube.Cube;
        return cube;
    }

    [CamCubeService(0x0312, "subject")]
    private sealed class Subject(IServer server) : CamCubeService, IServiceCommands
    {
        private readonly Counter _set = server.Counters.Create("set", "1");

        public IReadOnlyList<ServiceCommand> Commands =>
            [
                ServiceCommand.Of<SayArguments, string[]>("say", "Says it.", SayAsync),
                ServiceCommand.Of<string>("break", "Throws.", static _ => throw new FormatException("so it is")),
                ServiceCommand.Of<string>("late-break", "Throws later.", BreakAsync),
                ServiceCommand.Of<WaitArguments, string>("wait", "Waits for ever.", WaitAsync),
                ServiceCommand.Of<SetArguments, CommandResult>("set", "Sets.", SetAsync, changes: true),
            ];

        private async ValueTask<string[]> SayAsync(SayArguments arguments, CommandContext context)
        {
            await server.DelayAsync(TimeSpan.FromMicroseconds(1));
            return [.. Enumerable.Repeat(arguments.What, arguments.Times)];
        }

        private async ValueTask<string> BreakAsync(CommandContext context)
        {
            await server.DelayAsync(TimeSpan.FromMicroseconds(1));
            throw new KeyNotFoundException("later");
        }

        private static async ValueTask<string> WaitAsync(WaitArguments arguments, CommandContext context)
        {
            var gone = new TaskCompletionSource();
            await using CancellationTokenRegistration end = context.Cancel.Register(() =>
            {
                gone.TrySetCanceled(context.Cancel);
                if (arguments.Badly)
                {
                    throw new FormatException("on the way out");
                }
            });
            await gone.Task;
            return "";
        }

        private ValueTask<CommandResult> SetAsync(SetArguments arguments, CommandContext context)
        {
            _set.Set(arguments.Value);
            return new(CommandResult.Done);
        }

        private sealed record SayArguments(string What, int Times = 1);

        private sealed record SetArguments(long Value);

        private sealed record WaitArguments(bool Badly = false);
    }

    [CamCubeService(0x0313, "twins")]
    private sealed class Twins : CamCubeService, IServiceCommands
    {
        public IReadOnlyList<ServiceCommand> Commands { get; } =
        [.. Enumerable.Repeat(ServiceCommand.Of<string>("same", "Is there twice.", static _ => new("")), 2)];
    }
}
