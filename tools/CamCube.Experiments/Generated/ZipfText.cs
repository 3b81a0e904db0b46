namespace CamCube.Experiments.Generated;

/// <summary>
/// Text of words that are as frequent as in a natural language: the n-th of a file's words is there about 1 / n times
/// as often as its first, and each at least once. Which words are in which files say <see cref="SharedKeys"/>, so S is
/// the ratio of different words of all files to those of each. Equal arguments give equal text. One thread.
/// </summary>
/// <param name="keys">The words.</param>
/// <param name="repeats">Words of a file's text, for each different one, from 1.</param>
/// <param name="seed">Of their order.</param>
public sealed class ZipfText(SharedKeys keys, int repeats, ulong seed)
{
    private const int WordsPerLine = 12;

    /// <summary>Writes the text of a file. Returns its bytes.</summary>
    public long Write(int file, Stream to)
    {
        ArgumentNullException.ThrowIfNull(to);
        ReadOnlySpan<int> words = keys.OfFile(file);
        int[] order = OrderOf(words.Length, (int)((seed * 1_000_003) + (ulong)file));
        Span<byte> word = stackalloc byte[keys.MostBytes + 1];
        long bytes = 0;
        for (int i = 0; i < order.Length; i++)
        {
            int length = keys.WriteKey(words[order[i]], word);
            bool isLast = i % WordsPerLine == WordsPerLine - 1 || i == order.Length - 1;
            word[length++] = isLast ? (byte)'\n' : (byte)' ';
            to.Write(word[..length]);
            bytes += length;
        }

        return bytes;
    }

    private int[] OrderOf(int words, int orderSeed)
    {
        double harmonic = 0;
        for (int i = 1; i <= words; i++)
        {
            harmonic += 1.0 / i;
        }

        List<int> all = new(words * repeats);
        double more = (double)words * (repeats - 1) / Math.Max(1e-9, harmonic);
        for (int i = 0; i < words; i++)
        {
            int times = 1 + (int)Math.Round(more / (i + 1));
            for (int n = 0; n < times; n++)
            {
                all.Add(i);
            }
        }

        int[] order = [.. all];
        new Random(orderSeed).Shuffle(order);
        return order;
    }
}
