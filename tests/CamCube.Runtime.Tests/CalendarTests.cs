using System.Diagnostics;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Storage;

namespace CamCube.Runtime.Tests;

/// <summary>The time of day, and the numbers of runs, on machines whose clocks are set.</summary>
public sealed class CalendarTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Services_see_at_once_that_the_clock_was_set_forward_and_never_that_it_was_set_back()
    {
        var system = new SetClock { Now = DateTimeOffset.UnixEpoch };
        var clock = new CalendarClock(system);
        Assert.Equal(DateTimeOffset.UnixEpoch.Ticks, clock.Read(0));

        // Within a callback it stands still.
        system.Now = new DateTimeOffset(2026, 11, 22, 12, 0, 0, TimeSpan.Zero);
        Assert.Equal(DateTimeOffset.UnixEpoch.Ticks, clock.Read(0));
        Assert.Equal(system.Now.Ticks, clock.Read(1));

        // Ten seconds back: half as fast until the system has caught up, which takes twenty seconds.
        DateTimeOffset at = system.Now;
        system.Now -= TimeSpan.FromSeconds(10);
        long last = clock.Read(2);
        for (int second = 1; second <= 30; second++)
        {
            system.Now += TimeSpan.FromSeconds(1);
            long ticks = clock.Read(second * Second);
            Assert.True(ticks > last);
            last = ticks;
            TimeSpan ahead = new(ticks - system.Now.Ticks);
            Assert.InRange(
                ahead.TotalSeconds,
                Math.Max(0, 10 - (second * 0.5) - 0.01),
                Math.Max(0, 10 - (second * 0.5))
            );
        }

        Assert.Equal(system.Now, at + TimeSpan.FromSeconds(20));
    }

    [Fact]
    public void A_run_has_a_larger_number_than_all_before_it_also_after_the_clock_was_set_back()
    {
        using var folder = new TemporaryFolder();
        string state = Path.Combine(folder.Path, "new", "state");
        var system = new SetClock { Now = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero) };
        var journal = new RunJournal(state, system, _ => { });
        ulong first = journal.Begin();
        Assert.Equal((ulong)(system.Now - DateTimeOffset.UnixEpoch).TotalMicroseconds, first);
        ulong second = journal.Begin();
        Assert.Equal(first + 1, second);

        // A later process, whose clock has forgotten everything.
        system.Now = DateTimeOffset.UnixEpoch;
        var later = new RunJournal(state, system, _ => { });
        Assert.Equal(second + 1, later.Begin());

        // Others remembered an even later one.
        later.Note(second + 100);
        Assert.Equal(second + 101, new RunJournal(state, system, _ => { }).Begin());

        // What cannot be a run is not kept: it would be for ever.
        later.Note(RunJournal.Latest + 1);
        Assert.Equal(second + 102, new RunJournal(state, system, _ => { }).Begin());

        // Without a folder the process alone remembers.
        var forgetful = new RunJournal(null, system, _ => { });
        Assert.Equal(1UL, forgetful.Begin());
        Assert.Equal(2UL, forgetful.Begin());
    }

    [Theory]
    [InlineData("")]
    [InlineData("tomorrow")]
    [InlineData("-1")]
    [InlineData("9223372036854775807")]
    [InlineData("99999999999999999999")]
    public void A_file_that_is_not_the_number_of_a_run_is_named(string text)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(Path.Combine(folder.Path, "run"), text);
        var e = Assert.Throws<LinkProviderException>(() =>
            new RunJournal(folder.Path, TimeProvider.System, _ => { }).Begin()
        );
        Assert.Equal(
            $"{Path.Combine(folder.Path, "run")} is not the number of a run; remove the file if the server's clock "
                + $"is right.",
            e.Message
        );
    }

    [Fact]
    public void A_disk_that_refuses_stops_the_first_run_of_a_process_and_no_later_one()
    {
        using var folder = new TemporaryFolder();
        string state = Path.Combine(folder.Path, "state");
        File.WriteAllText(state, "");
        var e = Assert.Throws<LinkProviderException>(() =>
            new RunJournal(state, TimeProvider.System, _ => { }).Begin()
        );
        Assert.StartsWith(
            $"CamCube:StateDirectory = '{state}': the number of this run cannot be kept (",
            e.Message,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain('\n', e.Message);
        Assert.False(e.MayPass);

        File.Delete(state);
        var news = new List<LinkNews>();
        var journal = new RunJournal(state, TimeProvider.System, news.Add);
        ulong first = journal.Begin();
        Directory.Delete(state, recursive: true);
        File.WriteAllText(state, "");
        Assert.True(journal.Begin() > first);
        Assert.True(Assert.Single(news).IsFault);
    }

    [Fact]
    public void A_full_disk_stops_no_server_that_ran_before()
    {
        using var folder = new TemporaryFolder();
        Assert.SkipUnless(Mount(folder.Path), "This needs root.");
        try
        {
            // One page: there is no room for a second file.
            ulong first = new RunJournal(folder.Path, TimeProvider.System, _ => { }).Begin();
            ulong second = new RunJournal(folder.Path, TimeProvider.System, _ => { }).Begin();
            Assert.True(second > first);
            var news = new List<LinkNews>();
            var journal = new RunJournal(folder.Path, TimeProvider.System, news.Add);
            Assert.True(journal.Begin() > second);
            journal.Note(second + (1UL << 40));
            Assert.Empty(news);
            Assert.Equal(second + (1UL << 40) + 1, new RunJournal(folder.Path, TimeProvider.System, _ => { }).Begin());

            // One that never ran has no number, and may have one later.
            File.Move(Path.Combine(folder.Path, "run"), Path.Combine(folder.Path, "other"));
            var e = Assert.Throws<LinkProviderException>(() =>
                new RunJournal(folder.Path, TimeProvider.System, _ => { }).Begin()
            );
            Assert.EndsWith(" cannot be kept (the disk is full).", e.Message, StringComparison.Ordinal);
            Assert.True(e.MayPass);
        }
        finally
        {
            Run("umount", folder.Path);
        }
    }

    private static bool Mount(string path) =>
        OperatingSystem.IsLinux()
        && Environment.UserName == "root"
        && Run("mount", "-t", "tmpfs", "-o", "size=4k", "camcube-run", path) == 0;

    private static int Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments))!;
        process.WaitForExit();
        return process.ExitCode;
    }

    private sealed class SetClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; }

        public override DateTimeOffset GetUtcNow() => Now;
    }

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("camcube-run").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
