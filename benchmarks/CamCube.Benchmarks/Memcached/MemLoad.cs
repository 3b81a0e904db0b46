using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Memcached;

/// <summary>benchmarks/native/memload.c, which checks every answer.</summary>
internal sealed class MemLoad
{
    private readonly string _program;
    private readonly int _seconds;

    private MemLoad(string program, int seconds) => (_program, _seconds) = (program, seconds);

    /// <summary>Connections.</summary>
    public int Connections { get; init; } = 32;

    /// <summary>Compiles it; null: there is no C compiler.</summary>
    /// <param name="seconds">How long a round measures.</param>
    /// <param name="connections">Clients.</param>
    public static MemLoad? Create(int seconds, int connections) =>
        NativeProgram.Compile("memload.c", "cc", "-O2") is { } program
            ? new MemLoad(program, seconds) { Connections = connections }
            : null;

    /// <summary>The same with rounds of another length.</summary>
    public MemLoad Lasting(int seconds) => new(_program, seconds) { Connections = Connections };

    /// <summary>A round: the numbers that it prints.</summary>
    public double[] Run(MemcachedServer server, LoadCase one, string address, string? keys)
    {
        string[] where = keys is null ? [] : [keys];
        string line = Commands.Read(
            "taskset",
            [
                "-c",
                one.LoadProcessors,
                _program,
                address,
                one.Mode,
                Text(one.Batch),
                Text(Connections),
                Text(_seconds),
                Text(one.SetPercent),
                Text(server.ProcessId),
                .. where,
            ]
        );
        return
        [
            .. line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(word => double.Parse(word, CultureInfo.InvariantCulture)),
        ];
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
