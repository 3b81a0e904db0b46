using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A file that is there under its name already. Loop only.</summary>
internal static class WholeFile
{
    /// <summary>Whether it is the very file of a job.</summary>
    public static async ValueTask<bool> IsSameAsync(JobTerms terms, Manifest manifest, IDiskFile file)
    {
        if (file.Length != manifest.Length || terms.Windows.TryRent(DistributionOptions.MostPieceBytes) is not { } part)
        {
            return false;
        }

        using var hash = new HashStep(part);
        long offset = 0;
        while (offset < manifest.Length)
        {
            int length = (int)Math.Min(part.Length, manifest.Length - offset);
            DiskResult<int> read = await file.ReadAsync(offset, part.AsMemory(0, length));
            if (read.Status == DiskStatus.Stopped || (read.IsDone && !await hash.AddAsync(terms.Server, length)))
            {
                // It may be in use for good.
                terms.Windows.Lose(part);
                return false;
            }

            if (!read.IsDone || read.Value != length)
            {
                break;
            }

            offset += length;
        }

        terms.Windows.Return(part);
        return offset == manifest.Length && hash.Take().AsSpan().SequenceEqual(manifest.Hash);
    }
}
