using System.Text;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>A program at an attempt's work. Loop only.</summary>
internal sealed class ProgramRun : IDisposable
{
    private const int ReadBytes = 256 << 10;
    private readonly ProgramHost _host;
    private readonly IProgram _program;
    private readonly JobDescription _job;
    private readonly string _folder;
    private readonly ServerTimer _watch;
    private long _activity;
    private long _activeNanos;
    private bool _isAwaited;

    /// <summary>A program that was started.</summary>
    /// <param name="host">Who has started it.</param>
    /// <param name="program">The program.</param>
    /// <param name="job">Its job.</param>
    /// <param name="folder">Its working folder.</param>
    public ProgramRun(ProgramHost host, IProgram program, JobDescription job, string folder)
    {
        (_host, _program, _job, _folder) = (host, program, job, folder);
        _activeNanos = host.Server.NowNanos;
        _watch = host.Server.Every(TimeSpan.FromSeconds(1), Watch);
    }

    /// <summary>Gives it input; false: it takes no more.</summary>
    public async ValueTask<bool> WriteAsync(ReadOnlyMemory<byte> input)
    {
        Await(true);
        bool isTaken = await _program.WriteAsync(input);
        Await(false);
        return isTaken;
    }

    /// <summary>There is no more input.</summary>
    public void CompleteInput()
    {
        _program.CompleteInput();
        Await(true);
    }

    /// <summary>Takes its output until there is no more.</summary>
    /// <param name="take">Gets a piece, valid until it ends; says why it cannot take more.</param>
    public async ValueTask<SinkEnd?> ReadAsync(TextTaker take)
    {
        byte[] buffer = GC.AllocateUninitializedArray<byte>(ReadBytes);
        while (await _program.ReadAsync(buffer) is var read and > 0)
        {
            // Nobody waits for the program while what it has written is being looked at.
            _activeNanos = _host.Server.NowNanos;
            if (await take(buffer.AsMemory(0, read)) is { } end)
            {
                _program.Kill();
                return end;
            }
        }

        return null;
    }

    /// <summary>Waits for its end.</summary>
    /// <returns>Why the attempt has failed, and the end of its standard error; null: it has not.</returns>
    public async ValueTask<(SinkEnd? Failure, string ErrorText)> EndAsync()
    {
        ProgramEnd end = await _program.EndAsync();
        string errors = TextOf(end.ErrorTail.Span);
        bool isFine = end.IsSuccess || (!_job.FailsOnExitCode && end.Killed == ProgramKill.None && end.Signal == 0);
        return (isFine ? null : new SinkEnd(WordsOf(end), IsInnocent: false), errors);
    }

    /// <summary>Kills it.</summary>
    public void Kill() => _program.Kill();

    /// <inheritdoc/>
    public void Dispose()
    {
        _watch.Cancel();
        _program.Dispose();
        _host.Leave(_folder);
    }

    private string WordsOf(ProgramEnd end) =>
        end.Killed == ProgramKill.Silence
            ? $"the program neither read nor wrote for {_job.TaskTimeout.TotalSeconds:0} s (mapreduce.task.timeout)"
            : $"the program {end}";

    private void Await(bool isAwaited)
    {
        _isAwaited = isAwaited;
        _activeNanos = _host.Server.NowNanos;
    }

    // Only while all that it needs to go on is there.
    private void Watch()
    {
        long activity = _program.Activity;
        if (activity != _activity || !_isAwaited)
        {
            (_activity, _activeNanos) = (activity, _host.Server.NowNanos);
        }
        else if (
            _job.TaskTimeout > TimeSpan.Zero
            && _host.Server.NowNanos - _activeNanos > _job.TaskTimeout.TotalNanoseconds
        )
        {
            _program.Kill(ProgramKill.Silence);
        }
    }

    // What a program writes may be anything; what people see has no control characters but those of text.
    private static string TextOf(ReadOnlySpan<byte> bytes)
    {
        string text = Encoding.UTF8.GetString(bytes);
        return string.Create(
            text.Length,
            text,
            static (to, from) =>
            {
                for (int i = 0; i < to.Length; i++)
                {
                    to[i] = char.IsControl(from[i]) && from[i] is not ('\n' or '\t') ? '\uFFFD' : from[i];
                }
            }
        );
    }
}
