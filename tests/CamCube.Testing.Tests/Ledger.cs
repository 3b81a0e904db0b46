using System.Globalization;
using System.Text;
using CamCube.Messaging;

namespace CamCube.Testing.Tests;

/// <summary>
/// Registers and a sum, all kept by server 0,0,0 on its disk; every other server asks there. A change has a name, so
/// that it is done once however often it is asked for, and is answered when it is on the disk. A mistake can be
/// planted.
/// </summary>
[CamCubeService(0x7d01, "ledger", Header = typeof(LedgerHeader))]
internal sealed class Ledger(IServer server, LedgerMistake mistake) : MessageService<LedgerHeader>(server)
{
    private const string File = "ledger";
    private static readonly Coordinate Home = new(0, 0, 0);
    private readonly SortedDictionary<string, string> _registers = new(StringComparer.Ordinal);
    private readonly HashSet<string> _done = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _seen = new(StringComparer.Ordinal);
    private readonly Queue<Func<ValueTask>> _changes = new();
    private long _sum;
    private bool _isReady;
    private bool _isChanging;
    private bool _isDirty;
    private int _asked;

    public override void OnStart()
    {
        base.OnStart();
        if (Server.Coordinate == Home)
        {
            Server.Loop.Run(LoadAsync);
        }
    }

    /// <summary>True: done. False: nobody knows.</summary>
    public async ValueTask<bool> PutAsync(string key, string value) =>
        await ChangeAsync($"put {key} {value}") == "done";

    /// <summary>The same.</summary>
    public async ValueTask<bool> AddAsync(long by) => await ChangeAsync($"add {by}") == "done";

    /// <summary>The value, empty if there is none. Null: nobody knows.</summary>
    public async ValueTask<string?> GetAsync(string key)
    {
        bool isForgetful = mistake != LedgerMistake.StaleRead || !_seen.ContainsKey(key);
        string? told = await AskAsync($"get {key}", isForgetful ? 20 : 1);
        if (told is not null)
        {
            _seen[key] = told;
        }

        return isForgetful ? told : _seen[key];
    }

    /// <summary>The sum. Null: nobody knows.</summary>
    public async ValueTask<long?> SumAsync() =>
        await AskAsync("sum", 20) is { } told ? long.Parse(told, CultureInfo.InvariantCulture) : null;

    protected override void OnMessage(in IncomingMessage<LedgerHeader> message)
    {
        if (Server.Coordinate != Home || !_isReady || !IsQuestion(message))
        {
            return;
        }

        string[] words = Encoding.UTF8.GetString(message.Content).Split(' ');
        (Coordinate source, ulong question) = (message.Source, QuestionOf(message));
        switch (words)
        {
            case ["get", { } key]:
                Tell(source, question, _registers.GetValueOrDefault(key, ""));
                break;
            case ["sum"]:
                Tell(source, question, _sum.ToString(CultureInfo.InvariantCulture));
                break;
            default:
                _changes.Enqueue(() => DoAsync(words, source, question));
                if (!_isChanging)
                {
                    Server.Loop.Run(ChangeAllAsync);
                }

                break;
        }
    }

    private async Task<string?> ChangeAsync(string what) =>
        await AskAsync($"{what} {Server.Coordinate}/{Server.NowNanos}/{_asked++}", 20);

    private async Task<string?> AskAsync(string what, int attempts)
    {
        using Answer<LedgerHeader> answer = await AskAsync(
            default,
            Encoding.UTF8.GetBytes(what),
            Home,
            TimeSpan.FromMilliseconds(20),
            attempts
        );
        return answer.IsAnswered ? Encoding.UTF8.GetString(answer.Content) : null;
    }

    private void Tell(Coordinate source, ulong question, string text) =>
        AnswerLater(source, question, default, Encoding.UTF8.GetBytes(text));

    private async ValueTask ChangeAllAsync()
    {
        _isChanging = true;
        while (_changes.TryDequeue(out Func<ValueTask>? change))
        {
            await change();
        }

        _isChanging = false;
    }

    private async ValueTask DoAsync(string[] words, Coordinate source, ulong question)
    {
        if (!_done.Contains(words[^1]) || (mistake == LedgerMistake.DoubledSum && words[0] == "add"))
        {
            (string Key, string Value)? put = words[0] == "put" ? (words[1], words[2]) : null;
            long sum = put is null ? _sum + long.Parse(words[1], CultureInfo.InvariantCulture) : _sum;
            if (mistake == LedgerMistake.LostWrite)
            {
                SaveLater();
            }
            else if (await Server.Disk.ReplaceAsync(File, State(put, sum, words[^1])) != DiskStatus.Done)
            {
                // Nobody sees what may be gone after a failure, and whoever asked asks again.
                return;
            }

            _done.Add(words[^1]);
            _sum = sum;
            if (put is var (key, value))
            {
                _registers[key] = value;
            }
        }

        Tell(source, question, "done");
    }

    private void SaveLater()
    {
        if (!_isDirty)
        {
            _isDirty = true;
            Server.Loop.Run(SaveLaterAsync);
        }
    }

    private async ValueTask SaveLaterAsync()
    {
        await Server.DelayAsync(TimeSpan.FromMilliseconds(10));
        _isDirty = false;
        await Server.Disk.ReplaceAsync(File, State(null, _sum, null));
    }

    private byte[] State((string Key, string Value)? put, long sum, string? done)
    {
        IEnumerable<string> registers = _registers
            .Where(r => r.Key != put?.Key)
            .Select(r => $"register {r.Key} {r.Value}");
        string[] lines =
        [
            $"sum {sum}",
            .. registers,
            .. put is var (key, value) ? (string[])[$"register {key} {value}"] : [],
            .. _done.Append(done).OfType<string>().Order(StringComparer.Ordinal).Select(d => $"done {d}"),
        ];
        return Encoding.UTF8.GetBytes(string.Join('\n', lines));
    }

    private async ValueTask LoadAsync()
    {
        DiskResult<IDiskFile> opened = await Server.Disk.OpenAsync(File, create: false);
        if (opened.Value is { } file)
        {
            byte[] bytes = new byte[(int)file.Length];
            await file.ReadAsync(0, bytes);
            file.Close();
            foreach (string[] words in Encoding.UTF8.GetString(bytes).Split('\n').Select(line => line.Split(' ')))
            {
                Load(words);
            }
        }

        _isReady = true;
    }

    private void Load(string[] words)
    {
        switch (words)
        {
            case ["sum", { } sum]:
                _sum = long.Parse(sum, CultureInfo.InvariantCulture);
                break;
            case ["register", { } key, { } value]:
                _registers[key] = value;
                break;
            case ["done", { } name]:
                _done.Add(name);
                break;
        }
    }
}
