using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// What an earlier run of the service has left on disk: jobs that were begun here go on; parts of files wait until
/// their job is heard of, so that only what they lack is sent again; what is left of uploads nobody asks for. Loop
/// only.
/// </summary>
/// <param name="terms">What all jobs have in common.</param>
/// <param name="line">How members are spoken to.</param>
internal sealed class LeftFiles(JobTerms terms, IMemberLine line)
{
    private readonly List<string> _parts = [];

    /// <summary>Parts of files of which nothing was heard yet.</summary>
    public int Unclaimed => _parts.Count;

    /// <summary>Looks for it, once, and goes on with jobs that were begun here.</summary>
    /// <param name="sent">Jobs that were begun here; those that go on are added.</param>
    public async ValueTask FindAsync(List<SentFile> sent)
    {
        DiskResult<IReadOnlyList<DiskEntry>> files = await terms.Server.Disk.ListAsync();
        foreach (DiskEntry file in files.Value ?? [])
        {
            if (file.Name.EndsWith(FileName.Part, StringComparison.Ordinal))
            {
                _parts.Add(file.Name);
            }
            else if (
                file.Name.EndsWith(FileName.Upload, StringComparison.Ordinal)
                || file.Name.EndsWith(FileName.Parity, StringComparison.Ordinal)
                || (file.Name.EndsWith(FileName.Source, StringComparison.Ordinal) && !await TryResumeAsync(file, sent))
            )
            {
                await terms.Server.Disk.DeleteAsync(file.Name);
            }
        }
    }

    /// <summary>Waits for <see cref="DistributionOptions.KeepTime"/>, and deletes the parts of jobs of which nothing
    /// was heard.</summary>
    /// <param name="isKnown">Whether a job is known here.</param>
    public async ValueTask ForgetAsync(Func<ulong, bool> isKnown)
    {
        if (_parts.Count == 0 || !await terms.Server.DelayAsync(terms.Options.KeepTime))
        {
            return;
        }

        foreach (string part in _parts)
        {
            if (!ReceivedFile.TryReadPart(part, out ulong job) || !isKnown(job))
            {
                await terms.Server.Disk.DeleteAsync(part);
            }
        }

        _parts.Clear();
    }

    // False: it is no job that can go on.
    private async ValueTask<bool> TryResumeAsync(DiskEntry entry, List<SentFile> all)
    {
        IServer server = terms.Server;
        var journal = new SourceJournal(server.Disk);
        if (
            await journal.ReadAsync(entry, server.Coordinate, server.Shape, terms.Options.MostBlocks)
            is not var (name, manifest, bytes)
        )
        {
            return false;
        }

        if (all.Exists(sent => sent.Number == manifest.JobNumber))
        {
            // It began just now.
            return true;
        }

        DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: false);
        if (opened.Value is not { } file || file.Length != manifest.Length)
        {
            opened.Value?.Close();
            return false;
        }

        var request = new DistributionRequest(name)
        {
            As = manifest.Name,
            To = manifest.Members.Length == 0 ? [] : manifest.MembersIn(server.Shape),
            Replaces = manifest.Replaces,
            Weight = manifest.Weight,
            Limit = manifest.Limit == 0 ? null : manifest.Limit,
            Trees = (DistributionTrees)manifest.Kind,
            Code = manifest.Code,
        };
        var sent = new SentFile(terms, line, manifest.JobNumber, request, file);
        all.Add(sent);
        server.Loop.Run(() => sent.ResumeAsync(manifest, bytes));
        return true;
    }
}
