using System.Runtime.InteropServices;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Records;

/// <summary>Sorts entries by group, key and place. Places differ, so there is one right order.</summary>
internal static class EntrySort
{
    /// <summary>Sorts them.</summary>
    /// <param name="entries">The entries.</param>
    /// <param name="bytes">Where their records are.</param>
    public static void Sort(Span<PairEntry> entries, byte[] bytes) => entries.Sort(new Order(bytes));

    [StructLayout(LayoutKind.Auto)]
    private readonly struct Order(byte[] bytes) : IComparer<PairEntry>
    {
        public int Compare(PairEntry x, PairEntry y)
        {
            int order = x.Group.CompareTo(y.Group);
            if (order == 0)
            {
                order = x.Prefix.CompareTo(y.Prefix);
            }

            if (order == 0)
            {
                order = KeyAt(x.At).SequenceCompareTo(KeyAt(y.At));
            }

            return order != 0 ? order : x.At.CompareTo(y.At);
        }

        private ReadOnlySpan<byte> KeyAt(int at)
        {
            ReadOnlySpan<byte> record = bytes.AsSpan(at);
            _ = RecordFormat.ReadHead(record, out int keyAt, out int length, out _);
            return record.Slice(keyAt, length);
        }
    }
}
