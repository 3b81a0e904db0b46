using System.Buffers;
using System.Text;

namespace CamCube.Workers.Tests;

/// <summary>Workers that are a shell script: what a request's first word says, it does.</summary>
internal static class Shell
{
    private const string Script = """
        echo ready
        while read -r word rest; do
          case $word in
            say) echo "$rest" ;;
            pid) echo $$ ;;
            limits) echo "$(ulimit -d) $(ulimit -n) $(ulimit -c) $(ulimit -t)" ;;
            place) read -r stat < /proc/$$/stat; set -- $stat; echo "$1 $5 $6 ${19}" ;;
            share) until read -r stat < /proc/$$/stat; set -- $stat; [ "${41}" = 0 ]; do :; done; echo $$ ;;
            environment) echo $(env) ;;
            descriptors) echo $(cd /proc/$$/fd && echo *) ;;
            errors) printf 'one\033[2J\ntwo\n' >&2; echo done ;;
            child) sleep 1000 & echo $! ;;
            exit) exit 3 ;;
            abort) kill -ABRT $$ ;;
            hang) exec sleep 1000 ;;
            stop) kill -STOP $$; echo went on ;;
            half) printf half; exit 0 ;;
            rubbish) printf '\001\n' ;;
            long) head -c 100000 /dev/zero | tr '\000' x; echo ;;
            twice) printf 'a\nb\n' ;;
          esac
        done
        """;

    private static int _kinds;

    /// <summary>A kind of its own name, so that each test has a pool of its own.</summary>
    public static WorkerKind Kind(WorkerOptions? options = null, string script = Script, Action<string>? log = null) =>
        new($"shell-{Interlocked.Increment(ref _kinds)}", "/bin/sh", new LineProtocol())
        {
            Arguments = ["-c", script],
            Environment = ["PATH=/usr/bin:/bin", "GIVEN=yes"],
            Options = options ?? Options,
            Log = log,
        };

    /// <summary>What is enough for a shell on a busy machine.</summary>
    public static WorkerOptions Options { get; } =
        new()
        {
            Processes = 1,
            Deadline = TimeSpan.FromSeconds(60),
            StartDeadline = TimeSpan.FromSeconds(60),
        };

    /// <summary>A request, which is its own subject.</summary>
    public static WorkerJob Job(string line)
    {
        ReadOnlySequence<byte> bytes = new(Encoding.UTF8.GetBytes(line + "\n"));
        return new WorkerJob(bytes, bytes);
    }

    /// <summary>An answer without its end of line.</summary>
    public static string Text(this WorkerResult result) => Encoding.UTF8.GetString(result.Answer.Span).TrimEnd('\n');
}
