using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>Events as JSON objects of the trace event format, as they come. Times there are microseconds, here with
/// three decimals.</summary>
internal sealed class TimelineWriter : IDisposable
{
    // A thread's number must be unique in the file, or Perfetto mixes up the threads of different processes.
    private const int ThreadsPerServer = 100;
    private const int FirstService = 10;
    private readonly Utf8JsonWriter _json;
    private readonly Stream _stream;
    private readonly TorusShape _shape;
    private readonly Func<ServiceId, string> _nameOf;
    private readonly List<ServiceId> _services = [];
    private readonly HashSet<int> _named = [];

    public TimelineWriter(Stream stream, TorusShape shape, Func<ServiceId, string> nameOf)
    {
        (_stream, _shape, _nameOf) = (stream, shape, nameOf);
        _json = new Utf8JsonWriter(
            stream,
            new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }
        );
        _json.WriteStartObject();
        _json.WriteString("displayTimeUnit", "ns");
        _json.WriteStartObject("otherData");
        _json.WriteString("shape", shape.ToString());
        _json.WriteString("time", "virtual");
        _json.WriteEndObject();
        _json.WriteStartArray("traceEvents");
    }

    public void Write(in TimelineEvent e, int rank)
    {
        if (e.Kind is TimelineKind.FaultBegan or TimelineKind.FaultEnded)
        {
            Fault(e);
            return;
        }

        NameServer(rank);
        switch (e.Kind)
        {
            case TimelineKind.OnLink or TimelineKind.LostOnLink:
                bool isLost = e.Kind == TimelineKind.LostOnLink;
                Begin(
                    "X",
                    NameOf(e.Packet) + (isLost ? " (lost)" : ""),
                    isLost ? "lost" : "link",
                    e.TimeNanos,
                    rank,
                    (int)e.Link + 1
                );
                _json.WriteNumber("dur", e.DurationNanos / 1_000m);
                Arguments(e);
                break;
            case TimelineKind.Sent:
                Instant("t", $"sent to {e.Packet.DestinationText}", "sent", e, rank, Thread(rank, e.Packet.Service));
                break;
            case TimelineKind.Verdict:
                Instant("t", NameOf(e.Verdict), "verdict", e, rank, Thread(rank, e.Packet.Service));
                break;
            case TimelineKind.Threw:
                Instant("t", "threw", "fault", e, rank, Thread(rank, e.Packet.Service));
                break;
            case TimelineKind.Dropped:
                Instant("p", $"dropped: {e.Reason}", "drop", e, rank, 0);
                break;
            default:
                Begin("i", e.Note!, "cube", e.TimeNanos, rank, 0);
                _json.WriteString("s", "p");
                _json.WriteEndObject();
                break;
        }

        if (_json.BytesPending > 1 << 16)
        {
            _json.Flush();
        }
    }

    public void Flush() => _json.Flush();

    public void CutOff(long nanos, long events)
    {
        string note = string.Create(
            CultureInfo.InvariantCulture,
            $"The timeline is cut off here: it has {events:N0} events, the most that were asked for."
        );
        Begin("i", note, "cube", nanos, 0, 0);
        _json.WriteString("s", "g");
        _json.WriteEndObject();
    }

    public void Dispose()
    {
        _json.WriteEndArray();
        _json.WriteEndObject();
        _json.Dispose();
        _stream.Dispose();
    }

    private static string NameOf(Verdict verdict) =>
        verdict.Kind switch
        {
            VerdictKind.Via or VerdictKind.ViaAll => $"{verdict.Kind} {verdict.Links}",
            VerdictKind.Drop => $"Drop {verdict.Reason}",
            _ => verdict.Kind.ToString(),
        };

    private string NameOf(in PacketSummary packet) =>
        packet.Contents is { } contents ? $"{_nameOf(packet.Service)}: {contents}" : _nameOf(packet.Service);

    // Spans that may overlap, of a process behind the servers' that is shown before them.
    private void Fault(in TimelineEvent e)
    {
        int rank = _shape.Count;
        if (_named.Add(rank * ThreadsPerServer))
        {
            Metadata("process_name", rank, 0, "faults");
            Order("process_sort_index", rank, 0, -1);
        }

        Begin(e.Kind == TimelineKind.FaultBegan ? "b" : "e", e.Note!, "fault", e.TimeNanos, rank, 0);
        _json.WriteString("id", e.Fault.ToString(CultureInfo.InvariantCulture));
        _json.WriteEndObject();
    }

    private void Instant(string scope, string name, string category, in TimelineEvent e, int rank, int thread)
    {
        Begin("i", name, category, e.TimeNanos, rank, thread);
        _json.WriteString("s", scope);
        Arguments(e);
    }

    private void Begin(string phase, string name, string category, long nanos, int rank, int thread)
    {
        _json.WriteStartObject();
        _json.WriteString("name", name);
        _json.WriteString("cat", category);
        _json.WriteString("ph", phase);
        _json.WriteNumber("ts", nanos / 1_000m);
        _json.WriteNumber("pid", rank + 1);
        _json.WriteNumber("tid", ((rank + 1) * ThreadsPerServer) + thread);
    }

    private void Arguments(in TimelineEvent e)
    {
        _json.WriteStartObject("args");
        _json.WriteString("packet", e.Packet.Id.ToString("x8", CultureInfo.InvariantCulture));
        _json.WriteString("from", e.Packet.Source.ToString());
        _json.WriteString("to", e.Packet.DestinationText);
        _json.WriteNumber("hopsLeft", e.Packet.HopLimit);
        _json.WriteNumber("bytes", e.Packet.WireLength);
        if (e.Kind is TimelineKind.Verdict or TimelineKind.Threw)
        {
            _json.WriteString("arrivedOn", e.Link.Name());
        }

        _json.WriteEndObject();
        _json.WriteEndObject();
    }

    private int Thread(int rank, ServiceId service)
    {
        int i = _services.IndexOf(service);
        if (i < 0)
        {
            i = _services.Count;
            _services.Add(service);
        }

        // Numbers beyond the room of a server would be another's threads: more services than a server can have share
        // the last.
        int thread = Math.Min(FirstService + i, ThreadsPerServer - 1);
        if (_named.Add((rank * ThreadsPerServer) + thread))
        {
            Metadata("thread_name", rank, thread, $"service {_nameOf(service)}");
            Order("thread_sort_index", rank, thread, thread);
        }

        return thread;
    }

    private void NameServer(int rank)
    {
        if (!_named.Add(rank * ThreadsPerServer))
        {
            return;
        }

        Metadata("process_name", rank, 0, $"server {_shape.At(rank)}");
        Order("process_sort_index", rank, 0, rank);
        foreach (Link link in _shape.CabledLinks(_shape.At(rank)))
        {
            Metadata("thread_name", rank, (int)link + 1, $"link {link.Name()}");
            Order("thread_sort_index", rank, (int)link + 1, (int)link + 1);
        }
    }

    private void Metadata(string name, int rank, int thread, string value)
    {
        BeginMetadata(name, rank, thread);
        _json.WriteString("name", value);
        EndMetadata();
    }

    private void Order(string name, int rank, int thread, int value)
    {
        BeginMetadata(name, rank, thread);
        _json.WriteNumber("sort_index", value);
        EndMetadata();
    }

    private void BeginMetadata(string name, int rank, int thread)
    {
        _json.WriteStartObject();
        _json.WriteString("name", name);
        _json.WriteString("ph", "M");
        _json.WriteNumber("pid", rank + 1);
        _json.WriteNumber("tid", ((rank + 1) * ThreadsPerServer) + thread);
        _json.WriteStartObject("args");
    }

    private void EndMetadata()
    {
        _json.WriteEndObject();
        _json.WriteEndObject();
    }
}
