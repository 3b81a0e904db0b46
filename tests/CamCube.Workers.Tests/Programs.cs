using System.Text;

namespace CamCube.Workers.Tests;

/// <summary>Programs for tests: lines of a shell.</summary>
internal static class Programs
{
    private static int _pools;

    /// <summary>A pool of its own for each test.</summary>
    public static IPrograms Open(int programs = 2, ProgramsOptions? options = null) =>
        ProgramPools.Open(
            $"programs-{Interlocked.Increment(ref _pools)}",
            (options ?? new ProgramsOptions()) with
            {
                Programs = programs,
            }
        );

    /// <summary>What a shell does.</summary>
    public static ProgramStart Script(string script) => Start("/bin/sh", "-c", script);

    /// <summary>A command line.</summary>
    public static ProgramStart Start(params string[] commandLine) =>
        new(commandLine, ["PATH=/usr/bin:/bin", "GIVEN=yes"]);

    /// <summary>Starts one that must start.</summary>
    public static async Task<IProgram> BeginAsync(this IPrograms programs, ProgramStart start)
    {
        ProgramStarted started = await programs.StartAsync(start, TestContext.Current.CancellationToken);
        Assert.True(started.Status == ProgramStatus.Started, $"{started.Status}: {started.Text}");
        return started.Program!;
    }

    /// <summary>Starts one, without input, and reads all that it says.</summary>
    public static async Task<(string Output, ProgramEnd End)> RunAsync(this IPrograms programs, ProgramStart start)
    {
        using IProgram program = await programs.BeginAsync(start);
        program.CompleteInput();
        byte[] output = await program.ReadAllAsync();
        return (Encoding.UTF8.GetString(output), await program.EndAsync());
    }

    /// <summary>All of its output.</summary>
    public static async Task<byte[]> ReadAllAsync(this IProgram program)
    {
        MemoryStream all = new();
        byte[] buffer = new byte[100_000];
        int read;
        while ((read = await program.ReadAsync(buffer)) > 0)
        {
            all.Write(buffer, 0, read);
        }

        return all.ToArray();
    }

    /// <summary>A text that ASCII has.</summary>
    public static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);
}
