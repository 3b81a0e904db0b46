using System.Buffers.Text;
using System.Text;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Lines of standard error that mean something, as Hadoop Streaming has it:
/// <c>reporter:counter:GROUP,NAME,N</c>. All others, and those that cannot be read, are text. Any thread.</summary>
internal static class ReporterLines
{
    /// <summary>Counts what a line says.</summary>
    public static void Read(ReadOnlySpan<byte> line, TaskCounters counters)
    {
        ReadOnlySpan<byte> begin = "reporter:counter:"u8;
        if (!line.StartsWith(begin))
        {
            return;
        }

        line = line[begin.Length..].TrimEnd("\r "u8);
        int first = line.IndexOf((byte)',');
        int last = line.LastIndexOf((byte)',');
        if (
            first > 0
            && last > first + 1
            && Utf8Parser.TryParse(line[(last + 1)..], out long value, out int read)
            && read == line.Length - last - 1
        )
        {
            counters.Add(
                Encoding.UTF8.GetString(line[..first]),
                Encoding.UTF8.GetString(line[(first + 1)..last]),
                value
            );
        }
    }
}
