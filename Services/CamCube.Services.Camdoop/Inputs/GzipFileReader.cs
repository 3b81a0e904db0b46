using System.IO.Compression;
using System.Threading.Tasks.Sources;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Inputs;

/// <summary>What is packed by gzip in a file, one or several behind each other; unpacked off the loop, a piece at a
/// time, however much it becomes. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="file">The file. The receiver's.</param>
internal sealed class GzipFileReader(IServer server, IFileReader file) : IFileReader
{
    private const int PieceBytes = 256 << 10;
    private const string StrictName = "System.IO.Compression.UseStrictValidation";
    private readonly Unpacker _unpacker = new();

    // Without it what is cut off is a shorter text to .NET. It is read once, when a process unpacks first.
    private static readonly bool IsStrict = SetStrict();

    /// <inheritdoc/>
    public FileAnswer Answer => file.Answer;

    /// <summary>What is wrong with the file, in words that follow its name; null: nothing.</summary>
    public string? Wrong { get; private set; }

    /// <inheritdoc/>
    public void Select(long from, long length) => throw new NotSupportedException("it is read from its begin");

    /// <inheritdoc/>
    public async ValueTask<FilePart> ReadAsync()
    {
        Wrong ??= IsStrict ? null : $"cannot be unpacked: this process runs without {StrictName}";
        while (Wrong is null)
        {
            if (_unpacker.NeedsInput)
            {
                FilePart part = await file.ReadAsync();
                if (part.Status != FileStatus.Done)
                {
                    return part;
                }

                _unpacker.Give(part.Bytes);
            }

            string? wrong = await OffLoop.RunAsync(server, _unpacker, static u => u.Run(), PieceBytes);
            if (wrong == OffLoop.Stopped)
            {
                return new FilePart(FileStatus.Unavailable, default);
            }

            Wrong = wrong;
            if (wrong is null && (_unpacker.IsOver || !_unpacker.Output.IsEmpty))
            {
                return new FilePart(FileStatus.Done, _unpacker.Output);
            }
        }

        return new FilePart(FileStatus.NotFound, default);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        file.Dispose();
        _unpacker.Dispose();
    }

    private static bool SetStrict()
    {
        AppContext.SetSwitch(StrictName, isEnabled: true);
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write("cut off"u8);
        }

        packed.SetLength(packed.Length / 2);
        packed.Position = 0;
        using var cut = new GZipStream(packed, CompressionMode.Decompress);
        try
        {
            cut.CopyTo(Stream.Null);
            return false;
        }
        catch (InvalidDataException)
        {
            return true;
        }
    }

    // .NET's own unpacks from a stream that it waits for. Here it waits for the next piece of the file, and goes on at
    // once, on the thread that gives it the piece: no other thread ever has a part in it.
    private sealed class Unpacker : Stream, IValueTaskSource<int>
    {
        private readonly GZipStream _gzip;
        private readonly byte[] _piece = new byte[PieceBytes];
        private ManualResetValueTaskSourceCore<int> _more;
        private Memory<byte> _wanted;
        private bool _isWaiting;
        private ReadOnlyMemory<byte> _input;
        private bool _wasLast;
        private ValueTask<int>? _reading;

        public Unpacker() => _gzip = new GZipStream(this, CompressionMode.Decompress, leaveOpen: true);

        public bool NeedsInput => _input.IsEmpty && !_wasLast && (_isWaiting || _reading is null);

        public bool IsOver { get; private set; }

        public ReadOnlyMemory<byte> Output { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        // The next bytes of the file, valid until it needs more; none: there are no more.
        public void Give(ReadOnlyMemory<byte> bytes) => (_input, _wasLast) = (bytes, bytes.IsEmpty);

        // Makes a piece, or needs more to make it of.
        public string? Run()
        {
            Output = default;
            try
            {
                if (_isWaiting)
                {
                    _isWaiting = false;
                    _more.SetResult(Take(_wanted));
                }

                _reading ??= _gzip.ReadAsync(_piece);
                if (_reading is { IsCompleted: true } read)
                {
                    _reading = null;
                    int length = read.GetAwaiter().GetResult();
                    (IsOver, Output) = (length == 0, _piece.AsMemory(0, length));
                }

                return null;
            }
            catch (InvalidDataException)
            {
                return "is not packed by gzip as its name says, or broken";
            }
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (!_input.IsEmpty || _wasLast)
            {
                return new ValueTask<int>(Take(buffer));
            }

            (_wanted, _isWaiting) = (buffer, true);
            _more.Reset();
            return new ValueTask<int>(this, _more.Version);
        }

        public int GetResult(short token) => _more.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _more.GetStatus(token);

        public void OnCompleted(
            Action<object?> continuation,
            object? state,
            short token,
            ValueTaskSourceOnCompletedFlags flags
        ) => _more.OnCompleted(continuation, state, token, ValueTaskSourceOnCompletedFlags.None);

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush() { }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            // One that waits for good holds nothing but what goes with it.
            if (disposing && !_isWaiting)
            {
                _gzip.Dispose();
            }

            base.Dispose(disposing);
        }

        private int Take(Memory<byte> to)
        {
            int length = Math.Min(to.Length, _input.Length);
            _input[..length].CopyTo(to);
            _input = _input[length..];
            return length;
        }
    }
}
