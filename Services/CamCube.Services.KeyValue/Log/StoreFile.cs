namespace CamCube.Services.KeyValue.Log;

/// <summary>The file <c>store</c>, which says whose log it is, twice.</summary>
internal sealed class StoreFile(IServerDisk disk)
{
    private const int Copies = 2;

    /// <summary>Whose log it is.</summary>
    public LogIdentity Log { get; private set; }

    /// <summary>If it must not be used, why.</summary>
    public string Refusal { get; private set; } = "";

    /// <summary>One of its copies is not right.</summary>
    public bool IsHalf { get; private set; }

    /// <summary>Makes the file, or makes both its copies right again.</summary>
    public ValueTask<DiskStatus> Make(LogIdentity log)
    {
        Log = log;
        byte[] bytes = new byte[Copies * Sectors.Size];
        for (int i = 0; i < Copies; i++)
        {
            Span<byte> copy = bytes.AsSpan(i * Sectors.Size, Sectors.Size);
            SegmentFormat.Write(copy, SegmentFormat.StoreMagic, log, (uint)i);
        }

        return disk.ReplaceAsync(SegmentFormat.StoreName, bytes);
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

        byte[] bytes = new byte[Copies * Sectors.Size];
        DiskResult<int> read = await file.ReadAsync(0, bytes).ConfigureAwait(true);
        file.Close();
        if (!read.IsDone)
        {
            return read.Status;
        }

        int right = 0;
        uint known = SegmentFormat.Version;
        for (uint i = 0; i < Copies; i++)
        {
            ReadOnlySpan<byte> copy = bytes.AsSpan((int)i * Sectors.Size, Sectors.Size);
            if (SegmentFormat.TryRead(copy, SegmentFormat.StoreMagic, i, out uint version, out LogIdentity log))
            {
                right++;
                (Log, known) = (log, version);
            }
        }

        IsHalf = right < Copies;
        Refusal =
            right == 0 ? $"the file '{SegmentFormat.StoreName}' does not say whose store it is."
            : known != SegmentFormat.Version
                ? $"it has format {known}, and this program knows format {SegmentFormat.Version} only."
            : "";
        return DiskStatus.Done;
    }
}
