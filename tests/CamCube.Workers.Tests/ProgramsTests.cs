using System.Runtime.Versioning;

namespace CamCube.Workers.Tests;

[SupportedOSPlatform("linux")]
public sealed class ProgramsTests
{
    [Fact]
    public async Task Megabytes_go_through_cat_while_they_are_written()
    {
        using IPrograms programs = Programs.Open();
        using IProgram cat = await programs.BeginAsync(Programs.Start("cat"));
        byte[] input = new byte[5_000_000];
        new Random(1).NextBytes(input);
        Task writing = WriteAsync();
        byte[] output = await cat.ReadAllAsync();
        await writing;
        Assert.True(output.AsSpan().SequenceEqual(input));
        ProgramEnd end = await cat.EndAsync();
        Assert.True(end.IsSuccess, end.ToString());
        Assert.Equal(0, await cat.ReadAsync(new byte[1]));
        Assert.Equal(new ProgramsSummary(0, 0, 1, 1, 0, 0, programs.Summary.KillsAll), programs.Summary);

        async Task WriteAsync()
        {
            for (int i = 0; i < input.Length; i += 100_000)
            {
                Assert.True(await cat.WriteAsync(input.AsMemory(i, 100_000)));
            }

            cat.CompleteInput();
        }
    }

    [Fact]
    public async Task What_it_is_started_with_is_what_it_has_and_nothing_else()
    {
        string folder = Directory.CreateTempSubdirectory("camcube-programs-").FullName;
        using IPrograms programs = Programs.Open();
        ProgramStart start = Programs.Script(
            "pwd; env; for i in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$i ] && echo more; done; echo \"$0 $1\""
        ) with
        {
            Folder = folder,
        };
        start = start with { CommandLine = [.. start.CommandLine, "zero", "a b"] };
        (string output, ProgramEnd end) = await programs.RunAsync(start);
        Assert.True(end.IsSuccess, $"{end} {Programs.Text(end.ErrorTail)}");
        Assert.StartsWith(folder + "\n", output);
        Assert.Contains("\nGIVEN=yes\n", output);
        Assert.DoesNotContain("HOME=", output);
        Assert.DoesNotContain("more", output);
        Assert.EndsWith("\nzero a b\n", output);
        start = Programs.Start("env") with { Environment = ["PATH=/bin", "a.b-c=d e", "-x=1", "PWD=/nowhere"] };
        (output, _) = await programs.RunAsync(start);
        Assert.Equal("PATH=/bin\na.b-c=d e\n-x=1\nPWD=/nowhere\n", output);
        Directory.Delete(folder);
    }

    [Fact]
    public async Task It_has_its_limits_and_says_when_it_went_over_one()
    {
        using IPrograms programs = Programs.Open();
        ProgramLimits limits = new()
        {
            MemoryBytes = 64 << 20,
            Descriptors = 20,
            FileBytes = 1 << 20,
            ProcessorTime = TimeSpan.FromSeconds(1),
            Nicer = 3,
        };
        string asked = "echo $(ulimit -d) $(ulimit -n) $(ulimit -c) $(ulimit -t) $(ulimit -f) $(nice)";
        (string output, _) = await programs.RunAsync(Programs.Script(asked) with { Limits = limits });
        string[] own = (await File.ReadAllTextAsync("/proc/self/stat")).Split(") ")[^1].Split(' ');
        Assert.Equal($"65536 20 0 1 2048 {Math.Min(19, int.Parse(own[16]) + 3)}\n", output);
        ProgramStart busy = Programs.Script("while :; do :; done") with { Limits = limits };
        Assert.Equal(ProgramKill.Limit, (await programs.RunAsync(busy)).End.Killed);
        ProgramStart deaf = Programs.Script("trap '' XCPU; while :; do :; done") with { Limits = limits };
        Assert.Equal(ProgramKill.Limit, (await programs.RunAsync(deaf)).End.Killed);
        string file = Path.GetTempFileName();
        ProgramStart full = Programs.Start("/bin/dd", "if=/dev/zero", "bs=64k", "of=" + file) with { Limits = limits };
        Assert.Equal(ProgramKill.Limit, (await programs.RunAsync(full)).End.Killed);
        Assert.Equal(1 << 20, new FileInfo(file).Length);
        File.Delete(file);
        ProgramStart large = Programs.Script("head -c 200m /dev/zero | tail -c 200m") with { Limits = limits };
        Assert.Equal(1, (await programs.RunAsync(large)).End.ExitCode);
    }

    [Theory]
    [InlineData("", "The command line is empty.")]
    [InlineData("nothing-like-it", "There is no program 'nothing-like-it', in the working folder or in the PATH")]
    [InlineData("/nowhere/it", "There is no program /nowhere/it.")]
    [InlineData("./plain", "is not executable")]
    [InlineData("./folder", "is a folder")]
    [InlineData("./empty", "is empty")]
    [InlineData("./text", "neither a program of this machine nor a script")]
    [InlineData("./missing", "The interpreter of")]
    [InlineData("./windows", "carriage return")]
    [InlineData("./pipe", "is empty, or no file")]
    public async Task What_cannot_be_started_is_refused_in_words(string name, string words)
    {
        string folder = Directory.CreateTempSubdirectory("camcube-programs-").FullName;
        Directory.CreateDirectory(Path.Combine(folder, "folder"));
        Write("plain", "#!/bin/sh\n", isProgram: false);
        Write("empty", "");
        Write("text", "hello there, this is no program\n");
        Write("missing", "#!/nowhere/python3 -u\n");
        Write("windows", "#!/bin/sh\r\necho\r\n");
        using IPrograms programs = Programs.Open();
        string make = $"mkfifo -m 777 {folder}/pipe";
        Assert.True((await programs.RunAsync(Programs.Script(make))).End.IsSuccess);
        ProgramStarted started = await programs.StartAsync(
            Programs.Start(name) with
            {
                Folder = folder,
            },
            TestContext.Current.CancellationToken
        );
        Assert.Equal(ProgramStatus.Refused, started.Status);
        Assert.Contains(words, started.Text);
        Assert.Null(started.Program);
        Assert.Equal((0, 1L), (programs.Summary.Running, programs.Summary.Refused));
        Directory.Delete(folder, recursive: true);

        void Write(string file, string text, bool isProgram = true)
        {
            File.WriteAllText(Path.Combine(folder, file), text);
            if (isProgram)
            {
                File.SetUnixFileMode(Path.Combine(folder, file), (UnixFileMode)0b111_101_101);
            }
        }
    }

    [Fact]
    public async Task Other_things_that_are_wrong_are_refused_in_words()
    {
        using IPrograms programs = Programs.Open();
        await Refused(Programs.Start("cat") with { Folder = "/nowhere" }, "The working folder /nowhere is not there.");
        await Refused(Programs.Start("cat", "a\0b"), "a byte of 0");
        await Refused(Programs.Start("/bin/a=b"), "has a '='");
        await Refused(new ProgramStart(["cat"], ["NOTHING"]), "'NOTHING' is not an entry of an environment");
        await Refused(Programs.Start("cat", new string('x', 3 << 20)), "too long for this machine");
        await Refused(Programs.Start("cat") with { User = "nobody-like-it" }, "user nobody-like-it");

        async Task Refused(ProgramStart start, string words)
        {
            ProgramStarted started = await programs.StartAsync(start, TestContext.Current.CancellationToken);
            Assert.Equal(ProgramStatus.Refused, started.Status);
            Assert.Contains(words, started.Text);
        }
    }

    [Fact]
    public async Task A_program_of_the_working_folder_goes_before_one_of_the_path()
    {
        string folder = Directory.CreateTempSubdirectory("camcube-programs-").FullName;
        string path = Path.Combine(folder, "cat");
        await File.WriteAllTextAsync(path, "#!/bin/sh\necho mine $1\n", TestContext.Current.CancellationToken);
        File.SetUnixFileMode(path, (UnixFileMode)0b111_101_101);
        using IPrograms programs = Programs.Open();
        Assert.Equal("mine x\n", (await programs.RunAsync(Programs.Start("cat", "x") with { Folder = folder })).Output);
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("nobody")]
    public async Task A_program_dies_with_its_parent(string? user)
    {
        const string Setpriv = "/usr/bin/setpriv";
        Assert.SkipUnless(File.Exists(Setpriv), "setpriv is what asks for it");
        Assert.SkipUnless(user is null || Environment.IsPrivilegedProcess, "only root can give a program another user");
        using IPrograms programs = Programs.Open();
        ProgramStart start = Programs.Start(Setpriv, "--dump") with { User = user };
        Assert.Contains("Parent death signal: KILL\n", (await programs.RunAsync(start)).Output);
    }

    [Theory]
    [InlineData("nobody", "65534:65534")]
    [InlineData("12345", "12345:12345")]
    [InlineData("12345:54321", "12345:54321")]
    public async Task Roots_programs_run_as_the_user_that_is_asked_for(string user, string numbers)
    {
        Assert.SkipUnless(
            Environment.IsPrivilegedProcess && File.Exists("/usr/bin/setpriv"),
            "only root with setpriv can give a program another user"
        );
        using IPrograms programs = Programs.Open();
        ProgramStart start = Programs.Script("echo $(id -u):$(id -g) $(id -G) $GIVEN") with { User = user };
        (string output, ProgramEnd end) = await programs.RunAsync(start);
        Assert.Equal($"{numbers} {numbers.Split(':')[1]} yes\n", output);
        Assert.True(end.IsSuccess);
    }

    [Fact]
    public async Task Starts_wait_in_order_and_can_be_taken_back_and_too_many_are_refused()
    {
        using IPrograms programs = Programs.Open(1, new ProgramsOptions { QueueLimit = 3 });
        IProgram first = await programs.BeginAsync(Programs.Start("cat"));
        using CancellationTokenSource cancel = new();
        List<string> order = [];
        Task[] waiting =
        [
            .. new[] { "a", "b", "c", "d" }.Select(async name =>
            {
                ProgramStarted started = await programs.StartAsync(
                    Programs.Start("echo", name),
                    name == "b" ? cancel.Token : default
                );
                if (started.Program is { } program)
                {
                    order.Add(Programs.Text(await program.ReadAllAsync()).Trim());
                    program.Dispose();
                }
                else
                {
                    order.Add($"{name} {started.Status}");
                }
            }),
        ];
        Assert.Equal((1, 3), (programs.Summary.Running, programs.Summary.Waiting));
        await cancel.CancelAsync();
        await waiting[1];
        first.Dispose();
        await Task.WhenAll(waiting);
        Assert.Equal(["d Busy", "b Cancelled", "a", "c"], order);
        Assert.Equal(ProgramKill.Disposed, (await first.EndAsync()).Killed);
    }

    [Fact]
    public async Task Two_share_programs_and_one_that_leaves_takes_only_its_own_along()
    {
        ProgramsOptions options = new() { Programs = 3 };
        IPrograms one = ProgramPools.Open("shared", options);
        using IPrograms two = ProgramPools.Open("shared", options);
        IProgram ones = await one.BeginAsync(Programs.Start("sleep", "1000"));
        using IProgram twos = await two.BeginAsync(Programs.Start("cat"));
        using IProgram more = await two.BeginAsync(Programs.Start("cat"));
        Task<ProgramStarted> waiting = one.StartAsync(Programs.Start("cat"), default).AsTask();
        Assert.Equal((3, 1), (two.Summary.Running, two.Summary.Waiting));
        one.Dispose();
        one.Dispose();
        Assert.Equal(ProgramStatus.Stopped, (await waiting).Status);
        Assert.Equal(ProgramKill.Disposed, (await ones.EndAsync()).Killed);
        Assert.Equal(ProgramStatus.Stopped, (await one.StartAsync(Programs.Start("cat"), default)).Status);
        Assert.True(await twos.WriteAsync("a"u8.ToArray()));
        twos.CompleteInput();
        Assert.Equal("a"u8.ToArray(), await twos.ReadAllAsync());
    }

    [Fact]
    public async Task One_writer_and_one_reader_at_a_time()
    {
        using IPrograms programs = Programs.Open();
        using IProgram sleeping = await programs.BeginAsync(Programs.Start("sleep", "1000"));
        Task<bool> writing = sleeping.WriteAsync(new byte[2 << 20]).AsTask();
        Task<int> reading = sleeping.ReadAsync(new byte[1]).AsTask();
        await Assert.ThrowsAsync<InvalidOperationException>(() => sleeping.WriteAsync(new byte[1]).AsTask());
        await Assert.ThrowsAsync<InvalidOperationException>(() => sleeping.ReadAsync(new byte[1]).AsTask());
        Assert.Throws<InvalidOperationException>(sleeping.CompleteInput);
        sleeping.Kill(ProgramKill.Silence);
        Assert.False(await writing);
        Assert.Equal(0, await reading);
        ProgramEnd end = await sleeping.EndAsync();
        Assert.Equal((ProgramKill.Silence, 9, -1), (end.Killed, end.Signal, end.ExitCode));
        sleeping.CompleteInput();
        await Assert.ThrowsAsync<InvalidOperationException>(() => sleeping.WriteAsync(new byte[1]).AsTask());
    }
}
