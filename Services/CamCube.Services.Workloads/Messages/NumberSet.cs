using System.Globalization;
using System.Text;

namespace CamCube.Services.Workloads.Messages;

/// <summary>Which numbers came, and how many of them more than once. Grows with the largest. One thread.</summary>
internal sealed class NumberSet
{
    private ulong[] _bits = new ulong[4];

    /// <summary>How often a number came that was there already.</summary>
    public int Doubled { get; private set; }

    /// <summary>A number has come.</summary>
    public void Add(int number)
    {
        int word = number >> 6;
        if (word >= _bits.Length)
        {
            Array.Resize(ref _bits, Math.Max(word + 1, _bits.Length * 2));
        }

        ulong bit = 1UL << (number & 63);
        Doubled += (_bits[word] & bit) == 0 ? 0 : 1;
        _bits[word] |= bit;
    }

    /// <summary>As in <c>0-41,43-43</c>.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        for (int i = 0, end = _bits.Length * 64; i < end; i++)
        {
            if (!Has(i))
            {
                continue;
            }

            int first = i;
            while (i + 1 < end && Has(i + 1))
            {
                i++;
            }

            text.Append(text.Length == 0 ? "" : ",").Append(CultureInfo.InvariantCulture, $"{first}-{i}");
        }

        return text.ToString();
    }

    private bool Has(int number) => (_bits[number >> 6] >> (number & 63) & 1) != 0;
}
