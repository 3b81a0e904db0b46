using System.Runtime.Versioning;
using System.Text;

namespace CamCube.Workers.Tests;

/// <summary>Not beside others: it counts what this process has.</summary>
[CollectionDefinition(nameof(HostileProgramsTests), DisableParallelization = true)]
[Collection(nameof(HostileProgramsTests))]
[SupportedOSPlatform("linux")]
public sealed class HostileProgramsTests
{
    private const string Double = "(setsid sh -c 'sleep 1000 & echo $!' & wait)";

    private static readonly ProgramsOptions Patient = new() { OutputGrace = TimeSpan.FromSeconds(60) };

    private static readonly ProgramsOptions Impatient = new() { OutputGrace = TimeSpan.FromMilliseconds(50) };

    [Theory]
    [InlineData("exit 1", 1, 0)]
    [InlineData("exec /bin/nothing-like-it 2>&-", 127, 0)]
    [InlineData("kill -SEGV $$", -1, 11)]
    [InlineData("kill -KILL $$", -1, 9)]
    public async Task One_that_fails_says_how_and_it_was_not_killed(string script, int code, int signal)
    {
        using IPrograms programs = Programs.Open();
        (string output, ProgramEnd end) = await programs.RunAsync(Programs.Script("echo said; " + script));
        Assert.Equal("said\n", output);
        Assert.Equal((code, signal, ProgramKill.None), (end.ExitCode, end.Signal, end.Killed));
        Assert.False(end.IsSuccess);
        Assert.Equal(1, programs.Summary.Failed);
    }

    [Fact]
    public async Task One_that_closes_its_input_is_written_no_more_and_what_it_says_then_is_read()
    {
        using IPrograms programs = Programs.Open();
        using IProgram closing = await programs.BeginAsync(
            Programs.Script("exec <&-; head -c 3000000 /dev/zero; echo over; exec >&-; exec sleep 1000")
        );
        Task<byte[]> reading = closing.ReadAllAsync();
        byte[] input = new byte[200_000];
        int taken = 0;
        while (await closing.WriteAsync(input))
        {
            taken++;
        }

        Assert.InRange(taken, 0, 6);
        Assert.False(await closing.WriteAsync(input));
        closing.CompleteInput();
        Assert.Equal(3_000_005, (await reading).Length);
        Assert.Equal(1, programs.Summary.Running);
        closing.Kill();
        Assert.Equal(ProgramKill.Disposed, (await closing.EndAsync()).Killed);
    }

    [Fact]
    public async Task One_that_says_all_after_its_input_has_ended_is_heard()
    {
        using IPrograms programs = Programs.Open();
        using IProgram late = await programs.BeginAsync(Programs.Script("wc -c; head -c 3000000 /dev/zero"));
        Task<byte[]> reading = late.ReadAllAsync();
        for (int i = 0; i < 20; i++)
        {
            Assert.True(await late.WriteAsync(new byte[100_000]));
        }

        late.CompleteInput();
        byte[] output = await reading;
        Assert.Equal("2000000\n", Encoding.ASCII.GetString(output, 0, 8));
        Assert.Equal(3_000_008, output.Length);
    }

    [Fact]
    public async Task One_that_nobody_reads_waits_and_has_said_all_the_same_what_its_pipe_holds()
    {
        using IPrograms programs = Programs.Open();
        using IProgram waits = await programs.BeginAsync(Programs.Script("head -c 20000000 /dev/zero; echo >&2"));
        using IProgram ends = await programs.BeginAsync(Programs.Script("head -c 50000 /dev/zero"));
        Assert.True((await ends.EndAsync()).IsSuccess);
        Assert.Equal(1, programs.Summary.Running);
        Assert.Equal(50_000, (await ends.ReadAllAsync()).Length);
        Assert.Equal(20_000_000, (await waits.ReadAllAsync()).Length);
        Assert.Equal(1, (await waits.EndAsync()).ErrorLineCount);
    }

    [Fact]
    public async Task A_flood_of_errors_stops_nobody_and_only_its_end_is_kept()
    {
        using IPrograms programs = Programs.Open();
        List<string> lines = [];
        ProgramStart flood = Programs.Script(
            "echo first >&2; head -c 30000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo reporter:counter:a,b,1 >&2; "
                + "head -c 3000000 /dev/zero; printf last >&2"
        ) with
        {
            OnErrorLine = line => lines.Add(Programs.Text(line)),
        };
        (string output, ProgramEnd end) = await programs.RunAsync(flood);
        Assert.Equal(3_000_000, output.Length);
        Assert.Equal(["first", new string('x', 4_096), "reporter:counter:a,b,1", "last"], lines);
        Assert.Equal(4, end.ErrorLineCount);
        Assert.Equal(30_000_034, end.ErrorBytes);
        string rest = "\nreporter:counter:a,b,1\nlast";
        Assert.Equal(new string('x', (64 << 10) - rest.Length) + rest, Programs.Text(end.ErrorTail));
    }

    [Fact]
    public async Task A_listener_that_throws_is_heard_no_more_and_the_program_goes_on()
    {
        using IPrograms programs = Programs.Open();
        int calls = 0;
        ProgramStart start = Programs.Script("echo a >&2; echo b >&2; echo out") with
        {
            OnErrorLine = _ => throw new InvalidDataException($"{++calls}"),
        };
        (string output, ProgramEnd end) = await programs.RunAsync(start);
        Assert.Equal(("out\n", 1, 2), (output, calls, end.ErrorLineCount));
    }

    [Fact]
    public async Task What_it_has_started_may_end_its_output_and_is_then_killed()
    {
        using IPrograms patient = Programs.Open(2, Patient);
        (string output, _) = await patient.RunAsync(Programs.Script("(sleep 0.1; echo late) & echo early"));
        Assert.Equal("early\nlate\n", output);
        using IPrograms programs = Programs.Open(2, Impatient);
        (output, ProgramEnd end) = await programs.RunAsync(Programs.Script("sleep 1000 & echo $!"));
        await LeftBehind.EndOf(int.Parse(output));
        Assert.True(end.IsSuccess);
        (output, _) = await programs.RunAsync(Programs.Script("sleep 1000 > /dev/null 2>&1 & echo $!"));
        await LeftBehind.EndOf(int.Parse(output));
    }

    [Fact]
    public async Task What_has_left_its_group_goes_too_where_there_are_control_groups()
    {
        using IPrograms programs = Programs.Open();
        Assert.SkipUnless(programs.Summary.KillsAll, "this process may not make control groups");
        (string output, ProgramEnd end) = await programs.RunAsync(Programs.Script(Double));
        Assert.True(end.IsSuccess, Programs.Text(end.ErrorTail));
        Assert.False(LeftBehind.IsAlive(int.Parse(output)));
        using IProgram killed = await programs.BeginAsync(Programs.Script(Double + "; sleep 1000"));
        byte[] number = new byte[100];
        int child = int.Parse(Encoding.ASCII.GetString(number, 0, await killed.ReadAsync(number)));
        Assert.True(LeftBehind.IsAlive(child));
        killed.Dispose();
        await killed.EndAsync();
        Assert.False(LeftBehind.IsAlive(child));
    }

    [Fact]
    public async Task What_gets_away_where_there_are_none_keeps_nobody_waiting()
    {
        using IPrograms programs = Programs.Open(2, Impatient with { ControlGroups = false });
        Assert.False(programs.Summary.KillsAll);
        using IProgram endless = await programs.BeginAsync(
            Programs.Script("(setsid sh -c 'echo $$; exec yes') & exec sleep 0.1")
        );
        byte[] buffer = new byte[10_000];
        string number = Encoding.ASCII.GetString(buffer, 0, await endless.ReadAsync(buffer)).Split('\n')[0];
        while (await endless.ReadAsync(buffer) > 0)
        {
            // It says more than is read here.
        }

        Assert.True((await endless.EndAsync()).IsSuccess);

        // Nobody reads what it says any more, which ends it.
        await LeftBehind.EndOf(int.Parse(number));
    }

    [Fact]
    public async Task A_process_that_ends_leaves_none_of_a_crowd()
    {
        string before = await LeftBehind.BeforeAsync();
        using IPrograms programs = Programs.Open(6);
        List<(IProgram Program, int Child)> crowd = [];
        string start = programs.Summary.KillsAll ? "setsid sleep 1000" : "sleep 1000";
        for (int i = 0; i < 6; i++)
        {
            IProgram program = await programs.BeginAsync(Programs.Script($"{start} & echo $!; exec cat"));
            byte[] number = new byte[20];
            crowd.Add((program, int.Parse(Encoding.ASCII.GetString(number, 0, await program.ReadAsync(number)))));
        }

        LivePrograms.KillAll();
        foreach ((IProgram program, int child) in crowd)
        {
            Assert.Equal(9, (await program.EndAsync()).Signal);
            await LeftBehind.EndOf(child);
            program.Dispose();
        }

        await LeftBehind.NothingSince(before);
    }

    [Fact]
    public async Task A_GiB_without_an_end_of_line_takes_no_memory()
    {
        using IPrograms programs = Programs.Open();
        using IProgram large = await programs.BeginAsync(Programs.Script("head -c 1073741824 /dev/zero"));
        byte[] buffer = new byte[256 << 10];
        long before = GC.GetTotalAllocatedBytes();
        long all = 0;
        int read;
        while ((read = await large.ReadAsync(buffer)) > 0)
        {
            all += read;
        }

        Assert.Equal(1L << 30, all);
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 16 << 20);
    }

    [Fact]
    public async Task A_crowd_with_hostile_ones_in_it_leaves_nothing_behind()
    {
        const int Crowd = 200;
        string[] scripts =
        [
            "cat",
            "sleep 1000",
            "while :; do echo; done",
            "exit 1",
            "kill -ABRT $$",
            "exec <&-; echo out",
            "sleep 1000 & echo out",
            "head -c 300000 /dev/zero >&2",
            "cat > /dev/null; echo out",
            "setsid sleep 20 & cat",
        ];
        string before = await LeftBehind.BeforeAsync();
        using (IPrograms programs = Programs.Open(8, Impatient))
        {
            string[] ends = await Task.WhenAll(
                Enumerable.Range(0, Crowd).Select(i => UseAsync(programs, scripts[i % scripts.Length], i))
            );
            for (int i = 0; i < Crowd; i++)
            {
                string expected = (i % scripts.Length) switch
                {
                    1 or 2 => "was killed",
                    3 => "ended with code 1",
                    4 => "was ended by signal 6",
                    _ => "ended with code 0",
                };
                Assert.Equal(expected, ends[i]);
            }

            Assert.Equal((Crowd, Crowd), (programs.Summary.Started, programs.Summary.Ended));

            // Ones that nobody has disposed of go with the share.
            for (int i = 0; i < 8; i++)
            {
                _ = await programs.BeginAsync(Programs.Script("setsid sleep 20 & exec sleep 1000"));
            }
        }

        await LeftBehind.NothingSince(before);

        static async Task<string> UseAsync(IPrograms programs, string script, int number)
        {
            using IProgram program = await programs.BeginAsync(Programs.Script(script));
            byte[] input = new byte[50_000];
            bool isTaken = await program.WriteAsync(input);
            program.CompleteInput();
            byte[] buffer = new byte[10_000];
            int read;
            int all = 0;
            bool isEndless = script.StartsWith("sleep 1000") && !script.EndsWith("out") || script.StartsWith("while");
            if (isEndless)
            {
                program.Kill();
            }

            while ((read = await program.ReadAsync(buffer)) > 0)
            {
                all += read;
            }

            Assert.True(script != "cat" || (isTaken && all == input.Length), $"{number}: {all} bytes of {script}");
            return $"{await program.EndAsync()}";
        }
    }
}
