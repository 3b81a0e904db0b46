using System.Globalization;
using System.Runtime.Versioning;

namespace CamCube.Benchmarks.Images;

/// <summary>
/// How long other clients' requests take while hostile pictures come, beside the same without, beside ordinary pictures
/// of 1.47 MB, and beside programs that only turn in a loop, as many and as nice as workers are; and what took the
/// processors meanwhile. Twice: of clients that ask without a pause, who have all processors, so that whatever else
/// runs is taken from them; and at half of the rate that these reached, where a processor is free half of the time.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class HostilePart
{
    private const int SmallBytes = 100_000;
    private const int Median = 500;
    private const int P99 = 990;

    // The default of workers.
    private const string WorkersNicer = "10";
    private static readonly TimeSpan Time = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(8);

    private static readonly (string Name, string Sent, int Burners)[] Cases =
    [
        ("without", "", 0),
        ("with", AttackNode.Hostile, 0),
        ("with good ones", AttackNode.Ordinary, 0),
        ("with burners", "", Environment.ProcessorCount),
    ];

    private static readonly Dictionary<int, int> None = [];

    public static async Task RunAsync(ImageHost host, int rounds)
    {
        var clients = new OtherClients(host, Experiments.Images.MadePictures.Make(7, SmallBytes));
        await clients.FillAsync();
        using Attackers attackers = await Attackers.StartAsync(host);
        await Task.WhenAll(attackers.SendAsync(AttackNode.Hostile, WarmUp), clients.RunAsync(WarmUp, 0));
        double whole = (await clients.RunAsync(WarmUp, 0)).PerSecond;
        Dictionary<int, int> statuses = [];
        (string Name, double PerSecond)[] loads = [("at half of that", whole / 2), ("without a pause", 0)];
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"without a pause {whole:0} requests a second"));
        foreach ((string load, double perSecond) in loads)
        {
            Rounds gets = new(),
                puts = new(),
                others = new();
            for (int round = 0; round < rounds; round++)
            {
                foreach ((string name, string sent, int burners) in Cases)
                {
                    List<OwnProcess> burning = [.. Enumerable.Range(0, burners).Select(static _ => Burn())];
                    (double own, double workers) = host.CpuSeconds;
                    Task<IReadOnlyDictionary<int, int>>? sending =
                        sent.Length > 0 ? attackers.SendAsync(sent, Time) : null;
                    ClientTimes times = await clients.RunAsync(Time, perSecond);
                    burning.ForEach(static one => one.Dispose());
                    foreach ((int status, int count) in sending is null ? None : await sending)
                    {
                        statuses[status] =
                            statuses.GetValueOrDefault(status) + (sent == AttackNode.Hostile ? count : 0);
                    }

                    gets.Add($"median of gets, {name}", times.Get(Median));
                    gets.Add($"p99 of gets, {name}", times.Get(P99));
                    puts.Add($"median of puts of 100 kB, {name}", times.Put(Median));
                    puts.Add($"p99 of puts of 100 kB, {name}", times.Put(P99));
                    others.Add($"requests a second, {name}", times.PerSecond);
                    others.Add($"the host, {name}", (host.CpuSeconds.Own - own) / Time.TotalSeconds * 100);
                    others.Add($"its workers, {name}", (host.CpuSeconds.Workers - workers) / Time.TotalSeconds * 100);
                }
            }

            Print(load, gets, puts, others);
        }

        Console.WriteLine(
            "hostile pictures: "
                + string.Join(", ", statuses.OrderBy(static s => s.Key).Select(static s => $"{s.Value} x {s.Key}"))
        );
    }

    private static void Print(string load, Rounds gets, Rounds puts, Rounds others)
    {
        Console.WriteLine($"{load}:");
        gets.Print("ms");
        puts.Print("ms");
        others.Print("(a second, or % of a core)");
        foreach ((Rounds times, string what) in new[] { (gets, "gets"), (puts, "puts of 100 kB") })
        {
            times.Ratio(
                $"{load}: p99 of {what}, with / without",
                $"p99 of {what}, with",
                $"p99 of {what}, without",
                "<= 2"
            );
            times.Ratio(
                $"p99 of {what}, good ones / without",
                $"p99 of {what}, with good ones",
                $"p99 of {what}, without",
                "-"
            );
            times.Ratio(
                $"p99 of {what}, burners / without",
                $"p99 of {what}, with burners",
                $"p99 of {what}, without",
                "-"
            );
        }
    }

    private static OwnProcess Burn() => OwnProcess.Start("nice", "-n", WorkersNicer, "sh", "-c", "while :; do :; done");
}
