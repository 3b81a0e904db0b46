using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using CamCube.Benchmarks.Cables;

namespace CamCube.Benchmarks.Streams;

/// <summary>Rates and losses that the kernel makes on the ends of a veth pair: what TCP meets.</summary>
internal sealed class Shaping(Namespaces spaces)
{
    private static readonly (string Place, string Port)[] Ends = [("a", "ab"), ("b", "ba")];

    /// <summary>Limits what each end sends.</summary>
    public void Rate(int megabits)
    {
        foreach ((string place, string port) in Ends)
        {
            // As the testbed shapes: no frame is dropped that a socket's buffer can hold.
            string[] how = ["rate", $"{megabits}mbit", "burst", "128kb", "limit", "8mb"];
            if (!Run(place, ["tc", "qdisc", "replace", "dev", port, "root", "tbf", .. how]))
            {
                throw new InvalidOperationException("tc tbf: the link cannot be shaped");
            }
        }
    }

    /// <summary>Loses this part of the IP packets that arrive at each end, each with the same probability.</summary>
    /// <returns>By what; null: there is nothing here for it.</returns>
    public string? Lose(int percent)
    {
        if (HasNft && Array.TrueForAll(Ends, end => TryNft(end.Place, end.Port, percent)))
        {
            return "nftables";
        }

        return Array.TrueForAll(Ends, end => TryFilter(end.Place, end.Port, percent)) ? "a random filter of tc" : null;
    }

    /// <summary>Ends the loss.</summary>
    public void LoseNothing()
    {
        foreach ((string place, string port) in Ends)
        {
            _ = HasNft
                ? Run(place, ["nft", "delete", "table", "netdev", "loss"])
                : Run(place, ["tc", "qdisc", "del", "dev", port, "clsact"]);
        }
    }

    private static bool HasNft =>
        Array.Exists(["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft", "/usr/local/sbin/nft"], File.Exists);

    private bool TryNft(string place, string port, int percent) =>
        Run(place, ["nft", "add", "table", "netdev", "loss"])
        && Run(place, ["nft", $"add chain netdev loss in {{ type filter hook ingress device {port} priority 0; }}"])
        && Run(place, ["nft", $"add rule netdev loss in ip protocol tcp numgen random mod 100 < {percent} drop"]);

    // Four instructions of the classic packet filter: a random number; below the part: drop it (2), else pass it (0).
    private bool TryFilter(string place, string port, int percent)
    {
        long below = (1L << 32) * percent / 100;
        string program = string.Create(
            CultureInfo.InvariantCulture,
            $"4,32 0 0 4294963256,53 1 0 {below},6 0 0 2,6 0 0 0"
        );
        string filter = $"tc filter add dev {port} ingress protocol ip bpf direct-action bytecode";
        return Run(place, ["tc", "qdisc", "add", "dev", port, "clsact"]) && Run(place, [.. filter.Split(' '), program]);
    }

    private bool Run(string place, string[] command)
    {
        try
        {
            using Process process = spaces.Start(place, command[0], command[1..]);
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
