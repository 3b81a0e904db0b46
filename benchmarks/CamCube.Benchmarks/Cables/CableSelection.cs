using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>What of the cable benchmark is to be run.</summary>
/// <param name="Rounds">Rounds, in which all that is compared takes turns.</param>
/// <param name="Seconds">How long one figure is measured.</param>
/// <param name="Parts">Names of parts; none: all.</param>
/// <param name="Ways">Names of ways; none: all. The yardstick always runs.</param>
/// <param name="Mtus">Bytes of a frame without its Ethernet header.</param>
internal sealed record CableSelection(int Rounds, double Seconds, string[] Parts, string[] Ways, int[] Mtus)
{
    private static readonly string[] AllParts = ["throughput", "forwarding", "ping", "ring"];
    private static readonly string[] AllWays = ["yardsticks", "loop", "wakes", "threads", "pcap", "spin"];
    private static readonly string[] AllMtus = ["1500", "9000"];

    /// <summary>Reads the words of a command line; answers what is wrong with them, or null.</summary>
    public static string? TryParse(string[] args, out CableSelection selection)
    {
        bool isQuick = args.Contains("quick");
        int rounds = isQuick ? 1 : 3;
        List<string> parts = [],
            ways = [],
            mtus = [];
        string? fault = null;
        foreach (string word in args.Where(a => a != "quick"))
        {
            if (
                word.StartsWith("rounds=", StringComparison.Ordinal)
                && int.TryParse(word.AsSpan(7), NumberStyles.None, CultureInfo.InvariantCulture, out int wanted)
                && wanted > 0
            )
            {
                rounds = wanted;
            }
            else if (
                Array.Find([(AllParts, parts), (AllWays, ways), (AllMtus, mtus)], kind => kind.Item1.Contains(word)) is
                { Item2: { } list }
            )
            {
                list.Add(word);
            }
            else
            {
                fault =
                    $"cables does not know '{word}'; there are: quick, rounds=N, {string.Join(", ", AllParts)}; "
                    + $"{string.Join(", ", AllWays)}; {string.Join(", ", AllMtus)}";
            }
        }

        selection = new CableSelection(
            rounds,
            isQuick ? 0.5 : 1,
            [.. parts],
            [.. ways],
            [.. (mtus.Count > 0 ? mtus : [.. AllMtus]).Select(text => int.Parse(text, CultureInfo.InvariantCulture))]
        );
        return fault;
    }

    /// <summary>Whether a part is to be run.</summary>
    public bool Wants(string part) => Parts.Length == 0 || Parts.Contains(part);

    /// <summary>Whether a way is to be measured.</summary>
    public bool Measures(string way) => Ways.Length == 0 || Ways.Contains(way);
}
