using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop.Streaming;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>One run of a job from its command line to its end: uploads its files, begins it, and prints how it is
/// doing.</summary>
/// <param name="client">The cube.</param>
/// <param name="time">The clock.</param>
/// <param name="print">Prints a line.</param>
internal sealed class StreamingRun(ICamdoopClient client, TimeProvider time, Action<string> print)
{
    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(500);

    /// <summary>How long nobody may know of the job: servers die, and it goes on.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromMinutes(2);

    /// <summary>Runs it. Answers the exit code: 0 only with all of its output there.</summary>
    /// <param name="job">What is asked for.</param>
    /// <param name="staging">A directory of the file store for its files, which is not there; it is deleted at the
    /// end.</param>
    /// <param name="cancel">Ctrl+C: nobody looks any more, and the job goes on.</param>
    public async Task<int> RunAsync(StreamingJob job, string staging, CancellationToken cancel)
    {
        IEnumerable<StreamingUpload> all = job.Assembly is { } own ? [.. job.Uploads, own] : job.Uploads;
        foreach (StreamingUpload upload in all.Where(static upload => !File.Exists(upload.LocalPath)))
        {
            string why = Directory.Exists(upload.LocalPath) ? "is a directory; say -archives" : "is not there";
            throw new ToolException(ExitCode.Usage, $"{upload.LocalPath} {why}.");
        }

        bool isStaged = false,
            isNeeded = false;
        try
        {
            List<JobFile> files = [.. job.Job.Files];
            foreach (StreamingUpload upload in job.Uploads)
            {
                isStaged = true;
                files.Add(await UploadAsync(upload, $"{staging}/{files.Count}/{upload.Name}", cancel));
            }

            JobDescription description = job.Job with { Files = files };
            if (job.Assembly is { } assembly)
            {
                isStaged = true;
                JobFile uploaded = await UploadAsync(assembly, $"{staging}/assembly/{assembly.Name}", cancel);
                description = description with { Assembly = uploaded.Path };
            }

            if (job.IsVerbose)
            {
                print(ToolJson.Of(description));
            }

            JobState begun = await client.SubmitAsync(description, cancel);
            // From here on until it is over, whoever looks or does not.
            isNeeded = true;
            JobState over = await WatchAsync(begun, cancel);
            isNeeded = false;
            return over.Phase == JobPhase.Done ? ExitCode.Ok : ExitCode.Failed;
        }
        finally
        {
            if (isStaged && !isNeeded)
            {
                await TryRemoveAsync(staging);
            }
        }
    }

    private async Task<JobFile> UploadAsync(StreamingUpload upload, string path, CancellationToken cancel)
    {
        Stream from;
        try
        {
            from = File.OpenRead(upload.LocalPath);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"{upload.LocalPath}: {e.Message}");
        }

        await using (from)
        {
            await client.UploadAsync(from, path, cancel);
        }

        return new JobFile(path, upload.Name) { IsArchive = upload.IsArchive };
    }

    private async Task<JobState> WatchAsync(JobState state, CancellationToken cancel)
    {
        var lines = new JobLines();
        Print(JobLines.Begin(state));
        Print(lines.Next(state));
        while (!state.IsOver)
        {
            await Task.Delay(Between, time, cancel);
            state = await FindAsync(state.Name, cancel);
            Print(lines.Next(state));
        }

        Print(JobLines.End(state));
        return state;
    }

    private async Task<JobState> FindAsync(string name, CancellationToken cancel)
    {
        long began = time.GetTimestamp();
        while (true)
        {
            try
            {
                return await client.FindAsync(name, cancel);
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Unavailable && time.GetElapsedTime(began) < Patience)
            {
                await Task.Delay(Between, time, cancel);
            }
        }
    }

    private async Task TryRemoveAsync(string staging)
    {
        try
        {
            await client.RemoveAsync(staging, CancellationToken.None);
        }
        catch (ToolException e)
        {
            print($"{staging} stays: {e.Message}");
        }
    }

    private void Print(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            print(JobLines.Stamp(line, time.GetLocalNow()));
        }
    }
}
