using System.Globalization;
using System.Text.Json;

namespace CamCube.Experiments.Generated;

/// <summary>Writes input for MapReduce into a folder: files, and <c>_generated.json</c>, which says what they are and
/// which share keys, and which jobs skip as its name begins with an underscore. Equal arguments give equal bytes on
/// every machine. One thread.</summary>
/// <param name="folder">The folder; made if it is not there.</param>
/// <param name="files">How many files.</param>
/// <param name="bytes">Bytes of all, about.</param>
/// <param name="seed">Of all that is random.</param>
public sealed class DataGenerator(string folder, int files, long bytes, ulong seed)
{
    /// <summary>The name of what says what the files are.</summary>
    public const string Manifest = "_generated.json";

    /// <summary>Most files.</summary>
    public const int MostFiles = 10_000;

    private const int BufferBytes = 1 << 20;
    private const double BytesPerWord = 17;
    private const int Repeats = 10;
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    /// <summary>Records as gensort's.</summary>
    public GeneratedData Sort()
    {
        long records = Math.Max(files, bytes / SortRecords.Length);
        UInt128 checksum = 0;
        List<GeneratedFile> made = [];
        Span<byte> record = stackalloc byte[SortRecords.Length];
        for (int file = 0; file < files; file++)
        {
            long from = records * file / files,
                to = records * (file + 1) / files;
            var source = new SortRecords(from, seed);
            using Stream stream = Create(file);
            for (long i = from; i < to; i++)
            {
                source.Next(record);
                stream.Write(record);
            }

            checksum += source.Checksum;
            made.Add(new GeneratedFile(NameOf(file), (to - from) * SortRecords.Length, to - from));
        }

        return Describe(
            new GeneratedData("sort", seed, made)
            {
                Keys = records,
                Checksum = checksum.ToString("x", CultureInfo.InvariantCulture),
            }
        );
    }

    /// <summary>A key in each line, no key twice in a file.</summary>
    /// <param name="share">S.</param>
    public GeneratedData Strings(double share)
    {
        var keys = new SharedKeys(files, PerFile(BytesPerWord), share, seed);
        return Write("strings", keys, (file, stream) => WriteKeys(keys, file, stream));
    }

    /// <summary>Lines of words, some more frequent than others.</summary>
    /// <param name="share">S, of what a word count gives with each file's words counted first.</param>
    public GeneratedData Text(double share)
    {
        var keys = new SharedKeys(files, PerFile(BytesPerWord * Repeats), share, seed);
        var text = new ZipfText(keys, Repeats, seed);
        return Write("text", keys, text.Write);
    }

    private int PerFile(double bytesPerKey) => (int)Math.Clamp(bytes / bytesPerKey / files, 1, int.MaxValue / 64);

    private GeneratedData Write(string kind, SharedKeys keys, Func<int, Stream, long> write)
    {
        List<GeneratedFile> made = [];
        for (int file = 0; file < files; file++)
        {
            using Stream stream = Create(file);
            made.Add(new GeneratedFile(NameOf(file), write(file, stream), keys.OfFile(file).Length));
        }

        return Describe(
            new GeneratedData(kind, seed, made)
            {
                Keys = keys.Count,
                Share = (double)keys.Count / keys.Entries,
                FilesPerKey = keys.FilesPerKey,
                InCommon = files <= GeneratedData.MostInCommon ? RowsOf(keys.InCommon()) : [],
            }
        );
    }

    private static long WriteKeys(SharedKeys keys, int file, Stream stream)
    {
        Span<byte> line = stackalloc byte[keys.MostBytes + 1];
        long written = 0;
        foreach (int key in keys.OfFile(file))
        {
            int length = keys.WriteKey(key, line);
            line[length++] = (byte)'\n';
            stream.Write(line[..length]);
            written += length;
        }

        return written;
    }

    private GeneratedData Describe(GeneratedData data)
    {
        File.WriteAllText(Path.Combine(folder, Manifest), JsonSerializer.Serialize(data, Json) + "\n");
        return data;
    }

    private BufferedStream Create(int file)
    {
        Directory.CreateDirectory(folder);
        return new BufferedStream(
            new FileStream(Path.Combine(folder, NameOf(file)), FileMode.CreateNew, FileAccess.Write),
            BufferBytes
        );
    }

    private static string NameOf(int file) => string.Create(CultureInfo.InvariantCulture, $"part-{file:0000}.txt");

    private static long[][] RowsOf(long[,] common) =>
        [
            .. Enumerable
                .Range(0, common.GetLength(0))
                .Select(row =>
                    Enumerable.Range(0, common.GetLength(1)).Select(column => common[row, column]).ToArray()
                ),
        ];
}
