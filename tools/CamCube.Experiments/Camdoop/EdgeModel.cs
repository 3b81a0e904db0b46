using System.Globalization;
using CamCube.Experiments.Generated;
using CamCube.Services.Camdoop.Records;
using CamCube.Topology;
using CamCube.Trees;

namespace CamCube.Experiments.Camdoop;

/// <summary>What each directed cable carries of records, counted key by key, knowing nothing of how services merge,
/// combine or send: of which servers' files a cable is the way, and what they share.</summary>
internal static class EdgeModel
{
    private const int PrefixLength = 13;

    /// <summary>Bytes of records out of each link of each server.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="keys">What is in the servers' files.</param>
    /// <param name="roots">The server of each reduce, by rank.</param>
    /// <param name="combines">Pairs of a key become one wherever they meet.</param>
    /// <param name="homes">The servers whose files are a job's input; null: all.</param>
    /// <param name="kind">Which trees.</param>
    public static Dictionary<(int Rank, Link Link), long> BytesOf(
        TorusShape shape,
        SharedKeys keys,
        IReadOnlyList<int> roots,
        bool combines,
        IReadOnlyList<int>? homes = null,
        TreeKind kind = TreeKind.Six
    )
    {
        TreePlan[] plans = [.. roots.Select(root => TreePlan.Create(shape, shape.At(root), kind))];
        var groups = new PairGroups(roots.Count, plans[0].Trees);
        var parents = new (int Rank, Link Link)[groups.Count][];
        for (int group = 0; group < groups.Count; group++)
        {
            (TreePlan plan, int tree) = (plans[group / groups.Trees], group % groups.Trees);
            parents[group] =
            [
                .. Enumerable
                    .Range(0, shape.Count)
                    .Select(rank =>
                        (shape.RankOf(plan.Parent(tree, shape.At(rank))), plan.ParentLink(tree, shape.At(rank)))
                    ),
            ];
        }

        var bytes = new long[shape.Count, Links.Cables + 1];
        var behind = new int[shape.Count];
        List<int> touched = [];
        Span<byte> letters = stackalloc byte[PrefixLength + keys.MostBytes];
        "LongValueSum:"u8.CopyTo(letters);
        foreach ((int key, List<int> files) in FilesOf(keys, homes))
        {
            ReadOnlySpan<byte> text = letters[..(PrefixLength + keys.WriteKey(key, letters[PrefixLength..]))];
            (int Rank, Link Link)[] up = parents[groups.Of(text, text)];
            foreach (int file in files)
            {
                for (int at = file; up[at].Link != Link.Local; at = up[at].Rank)
                {
                    if (behind[at]++ == 0)
                    {
                        touched.Add(at);
                    }
                }
            }

            foreach (int at in touched)
            {
                bytes[at, (int)up[at].Link] += combines
                    ? RecordFormat.LengthOf(text.Length, behind[at].ToString(CultureInfo.InvariantCulture).Length)
                    : (long)behind[at] * RecordFormat.LengthOf(text.Length, 1);
                behind[at] = 0;
            }

            touched.Clear();
        }

        var all = new Dictionary<(int, Link), long>();
        for (int rank = 0; rank < shape.Count; rank++)
        {
            foreach (Link link in shape.CabledLinks(shape.At(rank)))
            {
                all[(rank, link)] = bytes[rank, (int)link];
            }
        }

        return all;
    }

    private static IEnumerable<(int Key, List<int> Files)> FilesOf(SharedKeys keys, IReadOnlyList<int>? homes)
    {
        // Each file's keys are in order.
        var next = new int[keys.Files];
        List<int> files = [];
        HashSet<int>? wanted = homes is null ? null : [.. homes];
        for (int key = 0; key < keys.Count; key++)
        {
            files.Clear();
            for (int file = 0; file < keys.Files; file++)
            {
                ReadOnlySpan<int> of = keys.OfFile(file);
                if (next[file] < of.Length && of[next[file]] == key)
                {
                    next[file]++;
                    if (wanted is null || wanted.Contains(file))
                    {
                        files.Add(file);
                    }
                }
            }

            yield return (key, files);
        }
    }
}
