using System.Globalization;
using System.Text;

namespace CamCube.Chaos.Jobs;

/// <summary>The text that jobs read: a file at every second server, so that others only pass pairs on. Equal arguments
/// give equal text. Immutable.</summary>
/// <param name="shape">The cube.</param>
/// <param name="bytes">Bytes of a file.</param>
/// <param name="seed">Of the words.</param>
public sealed class JobInput(TorusShape shape, int bytes, ulong seed)
{
    /// <summary>The directory of the files.</summary>
    public const string Folder = "/in";

    private const int WordsPerLine = 10;
    private const int Words = 20_000;

    /// <summary>Ranks of the servers that have a file.</summary>
    public IReadOnlyList<int> Homes { get; } =
    [.. Enumerable.Range(0, shape.Count).Where(static rank => rank % 2 == 0)];

    /// <summary>The path of a server's file, whose only chunk has its home at that server.</summary>
    public string PathOf(int home)
    {
        for (int drawn = 0; ; drawn++)
        {
            string path = string.Create(CultureInfo.InvariantCulture, $"{Folder}/{home:0000}-{drawn}");
            if (shape.RankOf(Key.OfName(path).HomeIn(shape)) == home)
            {
                return path;
            }
        }
    }

    /// <summary>The text of a server's file.</summary>
    public byte[] TextOf(int home)
    {
        var random = new Random((int)(seed * 1_009) + home);
        var text = new StringBuilder(bytes + 256);
        for (int word = 1; text.Length < bytes; word++)
        {
            // Some are frequent.
            double part = random.NextDouble();
            text.Append(CultureInfo.InvariantCulture, $"word{(int)(Words * part * part * part)}");
            text.Append(word % WordsPerLine == 0 ? '\n' : ' ');
        }

        return Encoding.ASCII.GetBytes(text.Append('\n').ToString());
    }
}
