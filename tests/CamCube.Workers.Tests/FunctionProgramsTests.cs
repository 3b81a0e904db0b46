using System.Text;
using CamCube.Testing;

namespace CamCube.Workers.Tests;

public sealed class FunctionProgramsTests
{
    private static readonly ProgramsOptions Options = new() { Programs = 2, QueueLimit = 3 };

    private static readonly Dictionary<string, ProgramFunction> Functions = new()
    {
        ["echo"] = (start, input) =>
            new FunctionEnd(input.ToArray(), Cost: TimeSpan.FromSeconds(start.CommandLine.Count)),
        ["fail"] = (_, _) => new FunctionEnd("half"u8.ToArray(), 3, "one\ntwo\n"u8.ToArray()),
        ["crash"] = (_, _) => new FunctionEnd(default, Signal: 11),
        ["never"] = (_, _) => FunctionEnd.Never,
    };

    [Fact]
    public void A_crowd_runs_two_at_a_time_and_too_many_are_refused()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        for (int i = 0; i < 7; i++)
        {
            asking.Ask("echo");
        }

        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(
            ["Busy", "Busy", .. Enumerable.Repeat("abc ended with code 0 at 1", 2), "abc ended with code 0 at 2"],
            asking.Ends.Take(5)
        );
        Assert.Equal(["abc ended with code 0 at 2", "abc ended with code 0 at 3"], asking.Ends.Skip(5));
        Assert.Equal(new ProgramsSummary(0, 0, 5, 5, 0, 2, true), asking.Programs.Summary);
        cube.AssertQuiet();
    }

    [Fact]
    public void Hostile_ones_end_as_they_would_and_one_that_never_ends_is_killed()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        asking.Ask("never");
        asking.Ask("fail");
        asking.Ask("crash");
        asking.Ask("nothing");
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["half ended with code 3 at 0", " was ended by signal 11 at 0", "Refused"], asking.Ends);
        Assert.Equal(["one", "two"], asking.Lines);
        asking.OnLoop(() => asking.Last["never"].Kill(ProgramKill.Silence));
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(" was killed: it did nothing for too long at 1", asking.Ends[^1]);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_leaves_kills_its_programs_and_those_that_wait_are_stopped()
    {
        using TestCube cube = new TestCube(1, 1, 1).Add(server => new Asking(server));
        Asking asking = cube[0].Service<Asking>();
        using CancellationTokenSource cancel = new();
        asking.Ask("never");
        asking.Ask("never");
        asking.Ask("echo");
        asking.Ask("echo", cancel.Token);
        cube.Advance(TimeSpan.FromSeconds(1));
        asking.OnLoop(cancel.Cancel);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["Cancelled"], asking.Ends);
        asking.OnLoop(asking.Programs.Dispose);
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["Stopped", " was killed at 2", " was killed at 2"], asking.Ends.Skip(1));
        asking.Ask("echo");
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("Stopped", asking.Ends[^1]);
        cube.AssertQuiet();
    }

    /// <summary>A service that has programs and notes how they end.</summary>
    [CamCubeService(0x7F11, "asking-programs")]
    private sealed class Asking(IServer server) : CamCubeService
    {
        private readonly long _began = server.NowNanos;

        public FunctionPrograms Programs { get; } = new(server, Functions, Options);

        public Dictionary<string, IProgram> Last { get; } = [];

        public List<string> Ends { get; } = [];

        public List<string> Lines { get; } = [];

        public void OnLoop(Action action) =>
            server.Loop.Run(() =>
            {
                action();
                return default;
            });

        public void Ask(string name, CancellationToken cancel = default) =>
            server.Loop.Run(async () =>
            {
                ProgramStart start = new([name], []) { OnErrorLine = line => Lines.Add(Text(line.Span)) };
                ProgramStarted started = await Programs.StartAsync(start, cancel);
                if (started.Program is not { } program)
                {
                    Ends.Add($"{started.Status}");
                    return;
                }

                Last[name] = program;
                Assert.True(await program.WriteAsync("ab"u8.ToArray()));
                Assert.True(await program.WriteAsync("c"u8.ToArray()));
                program.CompleteInput();
                byte[] two = new byte[2];
                string output = "";
                int read;
                while ((read = await program.ReadAsync(two)) > 0)
                {
                    output += Text(two.AsSpan(0, read));
                }

                ProgramEnd end = await program.EndAsync();
                program.Dispose();
                Ends.Add($"{output} {end} at {(server.NowNanos - _began) / 1_000_000_000}");
            });

        private static string Text(ReadOnlySpan<byte> bytes) => Encoding.UTF8.GetString(bytes);
    }
}
