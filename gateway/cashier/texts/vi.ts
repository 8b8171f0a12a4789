import type { Texts } from './texts';

export const vi: Texts = {
  name: 'Tiếng Việt',
  locale: 'vi',
  dir: 'ltr',
  language: 'Ngôn ngữ',
  secure: 'Thanh toán an toàn',
  steps: { choose: 'Số tiền', pay: 'Chuyển khoản', done: 'Hoàn tất' },
  timeLeft: 'Thời gian còn lại',
  copy: 'Sao chép',
  copied: 'Đã sao chép',
  copyOf: (label) => `Sao chép: ${label}`,
  orderNo: 'Mã giao dịch',
  backTo: (merchant) => `Quay lại ${merchant}`,
  refresh: 'Tải lại',
  offline: 'Bạn đang ngoại tuyến. Trang sẽ tự cập nhật ngay khi có kết nối trở lại.',
  neverAsk: 'Chúng tôi không bao giờ hỏi mật khẩu, mã PIN hay mã OTP của bạn.',
  choose: {
    title: 'Bạn muốn nạp bao nhiêu?',
    other: 'Số tiền khác',
    own: 'Số tiền của bạn',
    range: (least, most) => `Từ ${least} đến ${most}`,
    card: 'Bạn sẽ chuyển từ tài khoản nào?',
    submit: 'Tiếp tục',
  },
  pay: {
    title: 'Chuyển đúng số tiền',
    exact:
      'Vui lòng chuyển chính xác số tiền này. Các chữ số được tô đậm giúp nhận ra giao dịch của bạn.',
    withRemark:
      'Hãy sao chép nội dung này vào phần nội dung chuyển khoản. Chúng tôi dựa vào đó để nhận ra giao dịch của bạn.',
    amount: 'Số tiền',
    bank: 'Ngân hàng',
    branch: 'Chi nhánh',
    accountNo: 'Số tài khoản',
    accountHolder: 'Tên chủ tài khoản',
    scan: 'Quét mã này bằng ứng dụng ngân hàng',
    remark: 'Nội dung chuyển khoản',
    from: 'Chuyển từ',
    waiting: 'Đang chờ bạn chuyển khoản',
    waitingHint: 'Bạn có thể mở ứng dụng ngân hàng rồi quay lại: trang này tự cập nhật.',
    paid: 'Tôi đã chuyển nhưng chưa thấy cập nhật',
  },
  redirect: {
    title: 'Đã sẵn sàng để thanh toán',
    lead: 'Hãy hoàn tất trên trang của đối tác thanh toán rồi quay lại đây.',
    open: 'Đến trang thanh toán',
    scan: 'Hoặc quét mã này bằng điện thoại',
  },
  preparing: {
    title: 'Đang chuẩn bị thông tin thanh toán',
    lead: 'Thông tin sẽ hiển thị tại đây sau vài giây.',
  },
  confirming: {
    title: 'Chúng tôi đã nhận được tiền',
    lead: 'Giao dịch đang được xác nhận, thường chỉ mất giây lát. Bạn không cần làm gì thêm.',
  },
  completed: {
    title: 'Thanh toán thành công',
    lead: (merchant) => `Cảm ơn bạn. ${merchant} đã nhận được thanh toán.`,
    at: 'Hoàn tất lúc',
    amount: 'Số tiền đã thanh toán',
  },
  cancelled: {
    title: 'Giao dịch này đã bị hủy',
    lead: 'Vui lòng không chuyển tiền cho giao dịch này nữa.',
  },
  failed: {
    title: 'Thanh toán không thành công',
    lead: 'Vui lòng không chuyển tiền cho giao dịch này. Bạn có thể bắt đầu lại bất cứ lúc nào.',
  },
  expired: {
    title: 'Đã hết thời gian thanh toán',
    lead: 'Vui lòng không chuyển tiền vào tài khoản này nữa. Hãy tạo một giao dịch mới.',
  },
  sessionExpired: {
    title: 'Trang này đã hết hạn',
    lead: (merchant) => `Bạn chưa bị trừ tiền. Hãy quay lại ${merchant} để bắt đầu lại.`,
  },
  invalid: {
    title: 'Liên kết không dùng được',
    lead: 'Liên kết bị thiếu hoặc không còn hiệu lực. Vui lòng quay lại trang trước và bắt đầu lại.',
  },
  unavailable: {
    title: 'Vui lòng chờ một chút',
    lead: 'Hiện chưa thể hiển thị giao dịch của bạn. Không có gì bị mất: trang sẽ tự thử lại.',
  },
  claim: {
    question: 'Bạn đã chuyển tiền rồi?',
    title: 'Báo cho chúng tôi về khoản tiền đã chuyển',
    lead: 'Nhân viên sẽ đối chiếu thông tin bạn gửi với sao kê ngân hàng. Vui lòng không chuyển lần thứ hai.',
    reference: 'Mã tham chiếu ngân hàng',
    referenceHint: 'Mã giao dịch trên biên lai của ngân hàng',
    receipt: 'Ảnh biên lai (không bắt buộc)',
    receiptHint: 'PNG, JPEG hoặc WebP, tối đa 2 MB',
    submit: 'Gửi',
    back: 'Quay lại thông tin chuyển khoản',
  },
  claimed: {
    title: 'Cảm ơn bạn, chúng tôi đang kiểm tra',
    lead: (reference) =>
      `Bạn đã gửi mã tham chiếu ${reference}. Nhân viên sẽ đối chiếu với sao kê ngân hàng; bạn không cần chuyển lại.`,
  },
  problems: {
    amount: 'Vui lòng chọn một số tiền, hoặc nhập số tiền trong khoảng cho phép.',
    card: 'Vui lòng chọn tài khoản bạn sẽ dùng để chuyển.',
    reference: 'Vui lòng nhập mã tham chiếu mà ngân hàng hiển thị.',
    receipt: 'Ảnh phải là PNG, JPEG hoặc WebP và không quá 2 MB.',
    refused: 'Thao tác đó không còn thực hiện được. Đây là trạng thái hiện tại.',
    busy: 'Bạn thao tác quá nhanh. Vui lòng thử lại sau giây lát.',
  },
  sandbox: {
    title: 'Chế độ thử nghiệm',
    lead: 'Không có tiền thật được chuyển ở đây.',
    simulate: 'Giả lập ngân hàng',
    outcomes: {
      PAID: 'Tiền đã đến',
      WRONG_AMOUNT: 'Tiền đến sai số',
      EXPIRED: 'Hết thời gian',
    },
  },
};
