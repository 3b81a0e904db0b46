using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Does what <see cref="GroupCore"/> says of a group: messages, records, entries to show, and who is
/// told. Loop only.</summary>
internal sealed class ActionRunner(
    IServer server,
    Outbox outbox,
    MemberDirectory members,
    Leases leases,
    IGroupDuty duty,
    KeyValueCounters counters
)
{
    /// <summary>Who sends and fetches states.</summary>
    public IStateDuty StateDuty { get; set; } = null!;

    /// <summary>Does it.</summary>
    /// <param name="member">The group; its state is new already.</param>
    /// <param name="action">What is to be done.</param>
    /// <param name="incoming">What the entries do that it may say to write.</param>
    public void Run(Member member, in GroupAction action, List<Operation> incoming)
    {
        MemberLog log = member.Store.Records;
        switch (action.Kind)
        {
            case ActionKind.Send:
                outbox.Add(member, action.Message);
                break;
            case ActionKind.WritePromise:
                log.Recorder.Promise(member);
                break;
            case ActionKind.WriteEntries:
                log.WriteEntries(member, action.Index, incoming);
                member.IsDirty = true;
                break;
            case ActionKind.WriteEpoch:
                WriteEpoch(member, action.Index);
                break;
            case ActionKind.WriteJump:
                member.Tail.Reset(action.Index);
                (member.Applied, member.Shown) = (action.Index, action.Index);
                log.Recorder.Position(member);
                break;
            case ActionKind.CatchUp:
                StateDuty.Offer(member, member.State.Epoch!.Members[action.Position].Server);
                break;
            case ActionKind.Fetch:
                StateDuty.Fetch(member, action.Epoch!, action.Index);
                break;
            case ActionKind.Drop:
                log.Drop(member);
                break;
            case ActionKind.WriteRecovery:
                log.Recorder.Recovery(member);
                break;
            case ActionKind.Forget:
                log.Forget(member);
                members.Recount(member);
                break;
            case ActionKind.WriteBirth:
                log.Recorder.Birth(member);
                break;
            case ActionKind.Sync:
                log.Recorder.Sync(member, action.Sync);
                break;
            case ActionKind.Apply:
                member.Applied = Math.Max(member.Applied, action.Index);
                member.IsDirty = true;
                log.Show(member);
                break;
            case ActionKind.Lead:
                member.IsDirty = true;
                counters.Elections.Add();
                Array.Fill(member.AskedNanos, server.NowNanos);
                Array.Fill(member.Asked, action.Index);
                duty.Leads(member);
                break;
            case ActionKind.Resign:
                Leases.End(member);
                duty.Resigns(member);
                break;
            case ActionKind.Appended:
                if (member.Tail[action.Index].Operation is not null)
                {
                    duty.Appended(member, action.Index);
                }

                break;
            case ActionKind.Decline:
                duty.Declined(member);
                break;
            case ActionKind.Hold:
                leases.Hold(member);
                break;
            case ActionKind.ReadNoted:
                leases.Noted(member, action.Data);
                duty.ReadNoted(member, action.Data);
                break;
            case ActionKind.ReadConfirmed:
                leases.Confirmed(member, action.Index);
                duty.ReadConfirmed(member, action.Index);
                break;
            default:
                break;
        }
    }

    /// <summary>This server leads nothing any more.</summary>
    public void Resign(List<Member> all)
    {
        foreach (Member member in all.Where(static m => m.Leads))
        {
            Leases.End(member);
            duty.Resigns(member);
        }
    }

    private void WriteEpoch(Member member, ulong index)
    {
        counters.Epochs.Add();
        member.NoteEpoch(server.NowNanos);
        member.Store.Records.WriteEpoch(member, index);
        members.Recount(member);
    }
}
