using System.Globalization;
using System.Text;

namespace CamCube.Testbed;

/// <summary>Makes and removes network namespaces, many at once.</summary>
public static class NetworkNamespaces
{
    /// <summary>
    /// Makes namespaces without IPv6. Who they are is told before any has a name, so that whatever happens in between,
    /// nothing is left with a name that nobody knows to be ours.
    /// </summary>
    /// <param name="names">Their names.</param>
    /// <param name="made">Gets their identities, in the order of the names.</param>
    /// <exception cref="TestbedException">Not permitted, or a name is taken.</exception>
    public static void Make(IReadOnlyList<string> names, Action<IReadOnlyList<string>> made)
    {
        int count = names.Count;
        var identities = new string[count];
        var threads = new int[count];
        using var go = new ManualResetEventSlim();
        using var ready = new CountdownEvent(count);
        Task<bool>[] holders =
        [
            .. Enumerable
                .Range(0, count)
                .Select(i =>
                    Task.Factory.StartNew(
                        () =>
                            NetworkNamespace.InNew(() =>
                            {
                                SwitchOffIPv6();
                                (identities[i], threads[i]) = (
                                    NetworkNamespace.Identity(),
                                    NetworkNamespace.ThreadId()
                                );
                                ready.Signal();
                                go.Wait();
                                return true;
                            }),
                        CancellationToken.None,
                        TaskCreationOptions.LongRunning,
                        TaskScheduler.Default
                    )
                ),
        ];
        try
        {
            while (!ready.Wait(TimeSpan.FromMilliseconds(20)))
            {
                holders.FirstOrDefault(h => h.IsFaulted)?.GetAwaiter().GetResult();
            }

            made(identities);
            var batch = new StringBuilder();
            for (int i = 0; i < count; i++)
            {
                batch.Append(CultureInfo.InvariantCulture, $"netns attach {names[i]} {threads[i]}\n");
            }

            Programs.Batch("ip", [], batch.ToString());
        }
        finally
        {
            go.Set();
            Task.WhenAny(Task.WhenAll(holders)).Wait();
        }
    }

    /// <summary>Deletes namespaces by name, and with them their cables. Those that are gone already do not
    /// matter.</summary>
    public static void Delete(IReadOnlyList<string> names)
    {
        if (names.Count > 0)
        {
            Programs.Try(
                "ip",
                ["-force", "-batch", "-"],
                string.Concat(names.Select(name => $"netns delete {name}\n"))
            );
        }
    }

    /// <summary>Interfaces that are made in a namespace from now on have IPv6; those that are there stay as they
    /// are.</summary>
    public static void AllowIPv6OfNewInterfaces(string name) =>
        NetworkNamespace.Inside(
            name,
            () =>
            {
                SwitchIPv6("default", isOn: true);
                return true;
            }
        );

    /// <summary>Its interfaces would send by themselves, and have addresses.</summary>
    private static void SwitchOffIPv6()
    {
        SwitchIPv6("all", isOn: false);
        SwitchIPv6("default", isOn: false);
    }

    private static void SwitchIPv6(string of, bool isOn)
    {
        string path = $"/proc/sys/net/ipv6/conf/{of}/disable_ipv6";
        if (File.Exists(path))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Write);
            file.Write(isOn ? "0\n"u8 : "1\n"u8);
        }
    }
}
