using System.Globalization;
using System.Text;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Testbed;

/// <summary>Makes and changes the namespaces and cables of a testbed with <c>ip</c> and <c>tc</c>, many orders per call.</summary>
internal sealed class TestbedNetwork(TestbedPlan plan)
{
    /// <summary>Bytes that a rate limit holds back before it throws away: more than a socket buffers, so that senders wait instead.</summary>
    private const int HeldBytes = 4 * 1024 * 1024;

    /// <summary>A smaller burst than a jumbo frame drops every jumbo frame.</summary>
    private const int LeastBurst = 64 * 1024;

    private readonly TorusShape _shape = plan.Torus();

    /// <summary>What this machine lacks for a testbed, as the end of "the testbed ..."; null: nothing.</summary>
    public static string? Missing() => !OperatingSystem.IsLinux() ? "needs Linux: its servers are cabled with network namespaces"
        : !Environment.IsPrivilegedProcess ? "needs root: it makes network namespaces; try sudo"
        : !IsInPath("ip") || !IsInPath("tc") ? "needs the programs ip and tc (iproute2): apt-get install iproute2"
        : null;

    /// <summary>Checks that this machine can have a testbed.</summary>
    /// <exception cref="ToolException">It cannot; the line says what is missing.</exception>
    public static void CheckMachine()
    {
        if (Missing() is { } missing)
        {
            throw new ToolException(ExitCode.Failed, $"the testbed {missing}.");
        }
    }

    /// <summary>
    /// Makes a namespace per server. Who they are is told before any has a name, so that whatever happens in between, nothing is left with
    /// a name that nobody knows to be ours.
    /// </summary>
    /// <param name="made">Gets the identities by rank.</param>
    public void MakeNamespaces(Action<IReadOnlyList<string>> made)
    {
        int count = _shape.Count;
        var identities = new string[count];
        var threads = new int[count];
        using var go = new ManualResetEventSlim();
        using var ready = new CountdownEvent(count);
        Task<bool>[] holders = [.. Enumerable.Range(0, count).Select(rank => Task.Factory.StartNew(
            () => NetworkNamespace.InNew(() =>
            {
                SwitchOffIPv6();
                (identities[rank], threads[rank]) = (NetworkNamespace.Identity(), NetworkNamespace.ThreadId());
                ready.Signal();
                go.Wait();
                return true;
            }),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default))];
        try
        {
            while (!ready.Wait(TimeSpan.FromMilliseconds(20)))
            {
                holders.FirstOrDefault(h => h.IsFaulted)?.GetAwaiter().GetResult();
            }

            made(identities);
            var batch = new StringBuilder();
            for (int rank = 0; rank < count; rank++)
            {
                batch.Append(CultureInfo.InvariantCulture, $"netns attach {plan.NamespaceOf(_shape.At(rank))} {threads[rank]}\n");
            }

            Batch("ip", [], batch);
        }
        finally
        {
            go.Set();
            Task.WhenAny(Task.WhenAll(holders)).Wait();
        }
    }

    /// <summary>Makes all cables and sets every interface up.</summary>
    public void MakeCables()
    {
        IReadOnlyList<TestbedCable> cables = TestbedCable.Of(_shape);
        var batch = new StringBuilder();
        foreach (TestbedCable cable in cables)
        {
            batch.Append(CultureInfo.InvariantCulture, $"link add {End(cable.From, cable.Link)} type veth peer name {End(cable.To, cable.Link.Opposite())}\n");
        }

        Batch("ip", [], batch);
        Dictionary<(int Rank, Link Link), string> addresses = plan.Shim == "udp" ? UdpCables.Addresses(cables) : [];
        Parallel.For(0, _shape.Count, new ParallelOptions { MaxDegreeOfParallelism = 4 }, rank =>
        {
            var inside = new StringBuilder("link set lo up\n");
            foreach (Link link in _shape.CabledLinks(_shape.At(rank)))
            {
                string port = TestbedCable.InterfaceOf(link);
                if (addresses.TryGetValue((rank, link), out string? address))
                {
                    inside.Append(CultureInfo.InvariantCulture, $"addr add {address}/31 dev {port}\n");
                }

                inside.Append(CultureInfo.InvariantCulture, $"link set {port} up\n");
            }

            string name = plan.NamespaceOf(_shape.At(rank));
            Batch("ip", ["-n", name], inside);
            if (plan.RateBitsPerSecond > 0)
            {
                var rates = new StringBuilder();
                foreach (Link link in _shape.CabledLinks(_shape.At(rank)))
                {
                    rates.Append(CultureInfo.InvariantCulture, $"{Rate(link)}\n");
                }

                Batch("tc", ["-n", name], rates);
            }
        });
    }

    /// <summary>Cuts a cable.</summary>
    public void Cut(int rank, Link link, CutKind how)
    {
        switch (how)
        {
            case CutKind.Pulled:
                Programs.Run("ip", ["-n", plan.NamespaceOf(_shape.At(rank)), "link", "set", TestbedCable.InterfaceOf(link), "down"]);
                break;
            case CutKind.OneWay:
                ThrowAway(rank, link);
                break;
            default:
                ThrowAway(rank, link);
                ThrowAway(_shape.RankOf(_shape.Step(_shape.At(rank), link)), link.Opposite());
                break;
        }
    }

    /// <summary>Undoes every kind of cut of a cable.</summary>
    public void Mend(int rank, Link link)
    {
        int other = _shape.RankOf(_shape.Step(_shape.At(rank), link));
        foreach ((int end, Link at) in new[] { (rank, link), (other, link.Opposite()) })
        {
            string name = plan.NamespaceOf(_shape.At(end)), port = TestbedCable.InterfaceOf(at);
            Programs.Run("ip", ["-n", name, "link", "set", port, "up"]);
            if (plan.RateBitsPerSecond > 0)
            {
                Programs.Run("tc", ["-n", name, .. Rate(at).Split(' ')]);
            }
            else
            {
                // Fails if there is nothing to delete, which is what is wanted.
                Programs.Try("tc", ["-n", name, "qdisc", "del", "dev", port, "root"]);
            }
        }
    }

    /// <summary>Deletes namespaces by name, and with them their cables. Those that are gone already do not matter.</summary>
    public static void Delete(IReadOnlyList<string> namespaces)
    {
        if (namespaces.Count > 0)
        {
            Programs.Try("ip", ["-force", "-batch", "-"], string.Concat(namespaces.Select(name => $"netns delete {name}\n")));
        }
    }

    private static void Batch(string program, IReadOnlyList<string> arguments, StringBuilder orders) =>
        Programs.Run(program, [.. arguments, "-batch", "-"], orders.ToString());

    /// <summary>Its interfaces would send by themselves, and have addresses.</summary>
    private static void SwitchOffIPv6()
    {
        foreach (string of in new[] { "all", "default" })
        {
            string path = $"/proc/sys/net/ipv6/conf/{of}/disable_ipv6";
            if (File.Exists(path))
            {
                using var file = new FileStream(path, FileMode.Open, FileAccess.Write);
                file.Write("1\n"u8);
            }
        }
    }

    private static bool IsInPath(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        .Any(folder => File.Exists(Path.Combine(folder, program)));

    private void ThrowAway(int rank, Link link) =>
        Programs.Run("tc", ["-n", plan.NamespaceOf(_shape.At(rank)), "qdisc", "replace", "dev", TestbedCable.InterfaceOf(link), "root", "blackhole"]);

    private string Rate(Link link)
    {
        long burst = Math.Max(LeastBurst, plan.RateBitsPerSecond / 8 / 100);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"qdisc replace dev {TestbedCable.InterfaceOf(link)} root tbf rate {plan.RateBitsPerSecond}bit burst {burst} limit {HeldBytes + burst}");
    }

    private string End(int rank, Link link) => string.Create(
        CultureInfo.InvariantCulture,
        $"{TestbedCable.InterfaceOf(link)} netns {plan.NamespaceOf(_shape.At(rank))} " +
        $"address 02:cc:{rank >> 8:x2}:{rank & 0xFF:x2}:00:{(int)link + 1:x2} mtu {plan.Mtu}");
}
