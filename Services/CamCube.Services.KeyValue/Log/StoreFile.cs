using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>The file <c>store</c>, which says whose log it is and what is known of it, twice: a sector, and behind both
/// of them the notes, filled up to a sector.</summary>
internal sealed class StoreFile(IServer server, IServerDisk disk)
{
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(1);
    private const int Copies = 2;
    private const int AtStore = 32;
    private const int AtLength = 40;
    private const int AtSum = 44;
    private const int AtPending = 48;

    /// <summary>Most bytes of notes: what is more is not this file.</summary>
    private const int MostNotes = 64 << 20;

    private bool _isBusy;

    /// <summary>Where the files of the log are.</summary>
    public IServerDisk Disk => disk;

    /// <summary>Whose log it is: made with it, and kept for good.</summary>
    public LogIdentity Log { get; private set; }

    /// <summary>The store's id now: who makes promises by what is in the log.</summary>
    public LogIdentity Id => Notes.Store == 0 ? Log : Log with { Incarnation = Notes.Store };

    /// <summary>What is known of it.</summary>
    public StoreNotes Notes { get; private set; } = new();

    /// <summary>If it must not be used, why.</summary>
    public string Refusal { get; private set; } = "";

    /// <summary>One of its copies is not right.</summary>
    public bool IsHalf { get; private set; }

    /// <summary>None of its copies is right.</summary>
    public bool IsLost { get; private set; }

    /// <summary>Makes the file.</summary>
    public ValueTask<DiskStatus> Make(LogIdentity log)
    {
        Log = log;
        return Change(static notes => notes);
    }

    /// <summary>Whose log it is, if the file that said so is lost; it is written with the next change.</summary>
    public void Assume(LogIdentity log) => (Log, Refusal) = (log, "");

    /// <summary>Gives it new notes; after a power failure it has the old ones or the new. One change after the
    /// other.</summary>
    public async ValueTask<DiskStatus> Change(Func<StoreNotes, StoreNotes> change)
    {
        while (_isBusy)
        {
            if (!await server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return DiskStatus.Stopped;
            }
        }

        _isBusy = true;
        StoreNotes notes = change(Notes);
        DiskStatus status = await disk.ReplaceAsync(SegmentFormat.StoreName, BytesOf(notes)).ConfigureAwait(true);
        _isBusy = false;
        if (status == DiskStatus.Done)
        {
            (Notes, IsHalf) = (notes, false);
        }

        return status;
    }

    /// <summary>Reads it. NotFound: there is none.</summary>
    public async ValueTask<DiskStatus> Read()
    {
        DiskResult<IDiskFile> opened = await disk.OpenAsync(SegmentFormat.StoreName, create: false)
            .ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        byte[] bytes = new byte[
            Math.Clamp(file.Length, Copies * Sectors.Size, Copies * (Sectors.Size + (long)MostNotes))
        ];
        DiskResult<int> read = await file.ReadAsync(0, bytes).ConfigureAwait(true);
        file.Close();
        if (!read.IsDone)
        {
            return read.Status;
        }

        int right = 0;
        uint known = SegmentFormat.Version;
        for (int i = 0; i < Copies; i++)
        {
            ReadOnlySpan<byte> copy = bytes.AsSpan(i * Sectors.Size, Sectors.Size);
            if (!SegmentFormat.TryRead(copy, SegmentFormat.StoreMagic, (uint)i, out uint version, out LogIdentity log))
            {
                continue;
            }

            if (version != SegmentFormat.Version)
            {
                (known, right) = (version, right + 1);
            }
            else if (TryNotes(bytes, copy, out StoreNotes notes))
            {
                (Log, Notes, right) = (log, notes with { IsPending = copy[AtPending] != 0 }, right + 1);
            }
        }

        (IsHalf, IsLost) = (right < Copies, right == 0);
        Refusal =
            right == 0 ? $"the file '{SegmentFormat.StoreName}' does not say whose store it is."
            : known != SegmentFormat.Version
                ? $"it has format {known}, and this program knows format {SegmentFormat.Version} only."
            : "";
        return DiskStatus.Done;
    }

    private byte[] BytesOf(StoreNotes notes)
    {
        byte[] list = notes.ToBytes();
        int room = (int)Sectors.RoundUp(list.Length);
        byte[] bytes = new byte[Copies * (Sectors.Size + room)];
        for (int i = 0; i < Copies; i++)
        {
            Span<byte> copy = bytes.AsSpan(i * Sectors.Size, Sectors.Size);
            SegmentFormat.Write(copy, SegmentFormat.StoreMagic, Log, (uint)i);
            WriteUInt64LittleEndian(copy[AtStore..], notes.Store);
            WriteUInt32LittleEndian(copy[AtLength..], (uint)list.Length);
            WriteUInt32LittleEndian(copy[AtSum..], Sectors.Sum(uint.MaxValue, list));
            copy[AtPending] = notes.IsPending ? (byte)1 : (byte)0;
            SegmentFormat.Seal(copy);
            list.CopyTo(bytes.AsSpan((Copies * Sectors.Size) + (i * room)));
        }

        return bytes;
    }

    // Either copy of the notes does for either sector.
    private static bool TryNotes(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> copy, out StoreNotes notes)
    {
        (uint length, uint sum) = (ReadUInt32LittleEndian(copy[AtLength..]), ReadUInt32LittleEndian(copy[AtSum..]));
        notes = new StoreNotes { Store = ReadUInt64LittleEndian(copy[AtStore..]) };
        if (length == 0 || length > MostNotes)
        {
            return length == 0;
        }

        int room = (int)Sectors.RoundUp(length);
        for (int i = 0; i < Copies; i++)
        {
            int at = (Copies * Sectors.Size) + (i * room);
            if (
                at + length <= bytes.Length
                && bytes.Slice(at, (int)length) is var list
                && Sectors.Sum(uint.MaxValue, list) == sum
            )
            {
                notes = StoreNotes.Read(notes.Store, list);
                return true;
            }
        }

        return false;
    }
}
