using CamCube.Cables;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Interfaces;

/// <summary>Which interface is which port: those of links first, in the order of the links, then those that are only
/// listened on.</summary>
internal static class InterfaceChoice
{
    /// <summary>Chooses.</summary>
    /// <param name="named">Interfaces as configured; empty: all that are free, in name order.</param>
    /// <param name="all">The system's interfaces.</param>
    /// <param name="links">The links that the cube's shape has.</param>
    /// <exception cref="LinkProviderException">A name does not exist, or something is named twice, or there is none at
    /// all.</exception>
    public static IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> Choose(
        IReadOnlyList<string> named,
        IReadOnlyList<InterfaceInfo> all,
        LinkSet links
    )
    {
        InterfaceInfo[] free = [.. all.Where(i => i.IsFree).OrderBy(i => i.Name, NameOrder)];
        Link[] order = new Link[links.Count];
        int n = 0;
        foreach (Link link in links)
        {
            order[n++] = link;
        }

        List<(Link Link, InterfaceInfo Interface)> chosen =
            named.Count == 0 ? [.. order.Zip(free)] : Named(named, all, order);
        if (chosen.Count == 0)
        {
            throw new LinkProviderException(
                $"there is no Ethernet interface without an IP address for the cables; there are {Listed(all)}. "
                    + $"CamCube:Ethernet:Interfaces can name others."
            );
        }

        var unused = free.Where(f => !chosen.Exists(c => c.Interface.Name == f.Name)).Select(f => ((Link?)null, f));
        var ports = chosen.OrderBy(c => c.Link).Select(c => ((Link?)c.Link, c.Interface)).Concat(unused);
        return [.. ports.Select((p, i) => (new CablePort(i, p.Item2.Name, p.Item1), p.Item2))];
    }

    /// <summary>Names with numbers in their order: eth2 comes before eth10.</summary>
    public static IComparer<string> NameOrder { get; } = Comparer<string>.Create(Compare);

    private static List<(Link, InterfaceInfo)> Named(
        IReadOnlyList<string> named,
        IReadOnlyList<InterfaceInfo> all,
        Link[] order
    )
    {
        string list = string.Join(',', named);
        bool withLinks = named.Any(n => n.Contains('='));
        if (withLinks && !named.All(n => n.Contains('=')))
        {
            throw EthernetOptions.Wrong(
                "Interfaces",
                list,
                "are names only, or links with names only, as in +x=eth1,-x=eth2"
            );
        }

        if (named.Count > order.Length)
        {
            throw EthernetOptions.Wrong(
                "Interfaces",
                list,
                $"are at most {order.Length}: this shape has the links {Listed(order)}"
            );
        }

        List<(Link Link, InterfaceInfo Interface)> chosen = [];
        for (int i = 0; i < named.Count; i++)
        {
            string name = named[i];
            Link link = order[i];
            if (withLinks)
            {
                int at = name.IndexOf('=');
                if (!Links.TryParse(name.AsSpan(0, at).Trim(), out link) || !order.Contains(link))
                {
                    throw EthernetOptions.Wrong(
                        "Interfaces",
                        list,
                        $"are this shape's links {Listed(order)} before the ="
                    );
                }

                name = name[(at + 1)..].Trim();
            }

            InterfaceInfo found =
                all.FirstOrDefault(f => f.Name == name)
                ?? throw new LinkProviderException(
                    $"CamCube:Ethernet:Interfaces names '{name}', which does not exist; there are {Listed(all)}."
                );
            if (!found.IsEthernet)
            {
                throw new LinkProviderException(
                    $"CamCube:Ethernet:Interfaces names '{name}', which is not Ethernet; there are {Listed(all)}."
                );
            }

            if (chosen.Exists(c => c.Interface == found || c.Link == link))
            {
                throw EthernetOptions.Wrong("Interfaces", list, "are each link and each interface once");
            }

            chosen.Add((link, found));
        }

        return chosen;
    }

    private static string Listed(IEnumerable<Link> links) => string.Join(", ", links.Select(l => l.Name()));

    private static string Listed(IReadOnlyList<InterfaceInfo> all) =>
        all.Count == 0
            ? "none"
            : string.Join(
                ", ",
                all.OrderBy(i => i.Name, NameOrder)
                    .Select(i =>
                        i.IsEthernet
                            ? i.HasAddress
                                ? $"{i.Name} (has an IP address)"
                                : i.Name
                            : $"{i.Name} (not Ethernet)"
                    )
            );

    private static int Compare(string? a, string? b)
    {
        ReadOnlySpan<char> x = a,
            y = b;
        while (x.Length > 0 && y.Length > 0)
        {
            int n = Digits(x),
                m = Digits(y);
            if (n > 0 && m > 0)
            {
                ReadOnlySpan<char> p = x[..n].TrimStart('0'),
                    q = y[..m].TrimStart('0');
                int order = p.Length != q.Length ? p.Length.CompareTo(q.Length) : p.SequenceCompareTo(q);
                if (order != 0)
                {
                    return order;
                }

                x = x[n..];
                y = y[m..];
            }
            else if (x[0] != y[0])
            {
                return x[0].CompareTo(y[0]);
            }
            else
            {
                x = x[1..];
                y = y[1..];
            }
        }

        int rest = x.Length.CompareTo(y.Length);
        return rest != 0 ? rest : string.CompareOrdinal(a, b);
    }

    private static int Digits(ReadOnlySpan<char> text)
    {
        int n = text.IndexOfAnyExceptInRange('0', '9');
        return n < 0 ? text.Length : n;
    }
}
