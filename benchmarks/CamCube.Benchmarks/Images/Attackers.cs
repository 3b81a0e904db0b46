using System.Diagnostics;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>The process of <see cref="AttackNode"/>, as the benchmark sees it.</summary>
internal sealed class Attackers : IDisposable
{
    private readonly Process _process;

    private Attackers(Process process) => _process = process;

    /// <summary>Starts it; it sends nothing yet.</summary>
    /// <param name="host">Whom it sends to.</param>
    public static async Task<Attackers> StartAsync(ImageHost host)
    {
        var start = new ProcessStartInfo(
            Environment.ProcessPath!,
            ["images-attack", $"{host.Port}", $"{ImageHost.Servers}"]
        )
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var attackers = new Attackers(Programs.Start(start));
        await attackers.ReadAsync();
        return attackers;
    }

    /// <summary>Has it send for a while; how often each status came.</summary>
    /// <param name="what">A word of <see cref="AttackNode"/>.</param>
    /// <param name="time">How long.</param>
    public async Task<IReadOnlyDictionary<int, int>> SendAsync(string what, TimeSpan time)
    {
        await _process.StandardInput.WriteLineAsync(
            string.Create(CultureInfo.InvariantCulture, $"{what} {time.TotalSeconds}")
        );
        int[] numbers =
        [
            .. (await ReadAsync())
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(static word => int.Parse(word, CultureInfo.InvariantCulture)),
        ];
        return numbers.Chunk(2).ToDictionary(static pair => pair[0], static pair => pair[1]);
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private async Task<string> ReadAsync() =>
        await _process.StandardOutput.ReadLineAsync()
        ?? throw new TestbedException("the process that sends hostile pictures has ended.");
}
