using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>How far an export that was broken off has come.</summary>
/// <param name="Keys">Keys that are in it up to there.</param>
/// <param name="Cursor">Where its list goes on; null: at its beginning.</param>
/// <param name="IsWhole">There is nothing left to do.</param>
internal sealed record ExportEnd(long Keys, string? Cursor, bool IsWhole)
{
    /// <summary>Looks through it; the stream is behind the last line that counts then.</summary>
    /// <param name="stream">The file.</param>
    /// <param name="head">What its first line should be.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public static async Task<ExportEnd> FindAsync(Stream stream, ExportLine head, CancellationToken cancel)
    {
        var lines = new LineReader(stream);
        var end = new ExportEnd(0, null, false);
        long position = 0,
            keys = 0,
            length = 0;
        while (!end.IsWhole && await lines.ReadAsync(cancel) is { } text)
        {
            var line = ExportLine.Read(text, lines.Number);
            if (lines.Number == 1 && $"{line}" != $"{head}")
            {
                throw new ToolException(ExitCode.Usage, "the file begins as an export of other keys, or as none.");
            }

            // A long value that was broken off was begun anew.
            keys += line.IsKey && length <= 0 ? 1 : 0;
            length = line.IsKey ? line.Length ?? 0 : length - (line.Piece?.Length ?? 0);
            if (line.Cursor is not null || line.End is not null)
            {
                (end, position) = (new ExportEnd(keys, line.Cursor, line.End is not null), lines.Position);
            }
        }

        stream.Position = position;
        return end;
    }
}
