using System.Text;

namespace CamCube.Services.Camdoop.Lines;

/// <summary>What ends a record of the input: LF, also CR and CR LF, or bytes of a job's own. Immutable.</summary>
/// <param name="Bytes">The bytes; where <paramref name="AlsoReturns"/> LF.</param>
/// <param name="AlsoReturns">Whether CR, and CR LF, are ends, too.</param>
internal sealed record RecordEnd(byte[] Bytes, bool AlsoReturns)
{
    /// <summary>LF alone: that of lines of programs.</summary>
    public static RecordEnd LineFeed { get; } = new("\n"u8.ToArray(), AlsoReturns: false);

    /// <summary>Whether it is one of the job's own.</summary>
    public bool IsOwn => Bytes is not [(byte)'\n'];

    /// <summary>Whether bytes of one may be bytes of the next, as in LF LF: then where records end follows from all
    /// that is before them, and a file is read from its begin.</summary>
    public bool OverlapsItself
    {
        get
        {
            ReadOnlySpan<byte> all = Bytes;
            for (int length = 1; length < all.Length; length++)
            {
                if (all[..length].SequenceEqual(all[^length..]))
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>That of a job's input.</summary>
    public static RecordEnd Of(JobText text) =>
        text.RecordDelimiter.Length > 0
            ? new RecordEnd(Encoding.UTF8.GetBytes(text.RecordDelimiter), AlsoReturns: false)
            : new RecordEnd(LineFeed.Bytes, AlsoReturns: !text.EndsAtLineFeedOnly);
}
