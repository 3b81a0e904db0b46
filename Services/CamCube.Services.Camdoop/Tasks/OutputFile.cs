using System.Globalization;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>A file of a job's output that an attempt writes, and that may be dropped at any time: what is under way
/// then ends first. Loop only; one call at a time.</summary>
internal sealed class OutputFile
{
    private readonly IServer _server;
    private readonly JobDescription _job;
    private readonly IFileWriter _writer;
    private readonly LineChanger? _changer;
    private readonly GzipBlocks? _gzip;
    private readonly PairCheck? _check;
    private const string Prefix = "part-";
    private const int Digits = 5;
    private bool _isBusy;
    private bool _isDropped;
    private long _bytes;

    /// <summary>A file of an attempt.</summary>
    /// <param name="terms">What tasks of the server have in common.</param>
    /// <param name="job">The job.</param>
    /// <param name="number">The file's number.</param>
    /// <param name="at">The server at which its bytes are to lie.</param>
    /// <param name="mostLine">Bytes of the longest line.</param>
    public OutputFile(TaskTerms terms, Job job, int number, Coordinate at, int mostLine)
    {
        (_server, _job) = (terms.Server, job.Description);
        Path = FilePath.Join(_job.Output, NameOf(number) + (_job.CompressesOutput ? Suffix : ""));
        _writer = terms.Files.Value.OpenWrite(Path, new FileCreation { At = at });
        if (_job.Pairs is { } pairs)
        {
            int mostValue = terms.Store.IsAvailable ? terms.Store.Value.MaxValueLength : int.MaxValue;
            _check = new PairCheck(new PairLine(_job, pairs), mostLine, mostValue);
        }

        _changer = LineChanger.OfOutput(_job, mostLine);
        _gzip = _job.CompressesOutput ? new GzipBlocks() : null;
    }

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>Whether it gets its name: a job may make no empty files.</summary>
    public bool IsNeeded => !_job.LazyOutput || _bytes > 0;

    /// <summary>Bytes that were written, before they are compressed.</summary>
    public long Bytes => _bytes;

    /// <summary>The end of names of compressed files.</summary>
    public const string Suffix = ".gz";

    /// <summary>The name of a file of output, without <see cref="Suffix"/>.</summary>
    public static string NameOf(int number) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number:00000}");

    /// <summary>The number that is in the name of a file of output; less than 0: it is none.</summary>
    public static int TaskOf(string name) =>
        name.StartsWith(Prefix, StringComparison.Ordinal)
        && int.TryParse(
            name.AsSpan(Prefix.Length, Math.Min(Digits, name.Length - Prefix.Length)),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int task
        )
            ? task
            : -1;

    /// <summary>Writes lines, cut anywhere.</summary>
    public ValueTask<SinkEnd?> WriteAsync(ReadOnlyMemory<byte> text) => DoAsync(() => AddAsync(text, isLast: false));

    /// <summary>That was all.</summary>
    public ValueTask<SinkEnd?> CompleteAsync() => DoAsync(() => AddAsync(default, isLast: true));

    /// <summary>Gives it its name, if it gets one.</summary>
    public ValueTask<SinkEnd?> CommitAsync() => DoAsync(async () => IsNeeded ? await GiveNameAsync() : null);

    /// <summary>Nobody wants it any more; without a name nothing of it remains.</summary>
    public void Drop()
    {
        bool wasDropped = _isDropped;
        _isDropped = true;
        if (!_isBusy && !wasDropped)
        {
            Dispose();
        }
    }

    private async ValueTask<SinkEnd?> GiveNameAsync()
    {
        FileStatus status = (await _writer.CommitAsync()).Status;

        // Of a function that is not deterministic an attempt that was lost may have given its own bytes the name.
        return status == FileStatus.Exists && !_job.IsDeterministic ? null : FileSink.EndOf(status);
    }

    private async ValueTask<SinkEnd?> AddAsync(ReadOnlyMemory<byte> text, bool isLast)
    {
        _bytes += text.Length;
        if (_changer is { } changer)
        {
            string? wrong = await OffLoop.RunAsync(
                _server,
                (changer, text, isLast),
                static s => Change(s.changer, s.text, s.isLast),
                text.Length
            );
            if (wrong is not null)
            {
                return new SinkEnd(wrong, IsInnocent: false);
            }

            text = changer.Text;
        }

        if (_check is { } check)
        {
            string? wrong = await OffLoop.RunAsync(
                _server,
                (check, text, isLast),
                static s => s.check.Add(s.text.Span, s.isLast),
                text.Length
            );
            if (wrong is not null)
            {
                return new SinkEnd(wrong, IsInnocent: wrong == OffLoop.Stopped);
            }
        }

        if (_gzip is { } gzip)
        {
            var packed = new Packed();
            await OffLoop.RunAsync(
                _server,
                (gzip, text, isLast, packed),
                static s => Pack(s.gzip, s.text, s.isLast, s.packed),
                text.Length
            );
            SinkEnd? end = await PutAsync(packed.First);
            return end ?? await PutAsync(packed.Last);
        }

        return await PutAsync(text);
    }

    private static string? Change(LineChanger changer, ReadOnlyMemory<byte> text, bool isLast)
    {
        changer.Clear();
        changer.Add(text);
        if (isLast)
        {
            changer.Complete();
        }

        return changer.Wrong;
    }

    private static string? Pack(GzipBlocks gzip, ReadOnlyMemory<byte> text, bool isLast, Packed packed)
    {
        packed.First = gzip.Add(text.Span).ToArray();
        packed.Last = isLast ? gzip.Complete() : default;
        return null;
    }

    private async ValueTask<SinkEnd?> PutAsync(ReadOnlyMemory<byte> bytes) =>
        bytes.IsEmpty ? null : FileSink.EndOf(await _writer.WriteAsync(bytes));

    private async ValueTask<SinkEnd?> DoAsync(Func<ValueTask<SinkEnd?>> work)
    {
        if (_isDropped)
        {
            return SinkEnd.NoMore;
        }

        _isBusy = true;
        SinkEnd? end = await work();
        _isBusy = false;
        if (_isDropped)
        {
            Dispose();
        }

        return end;
    }

    private void Dispose()
    {
        _writer.Dispose();
        _gzip?.Dispose();
    }

    private sealed class Packed
    {
        public ReadOnlyMemory<byte> First { get; set; }

        public ReadOnlyMemory<byte> Last { get; set; }
    }
}
